import { operator } from "@telex/core";
import { describe, expect, it } from "vitest";
import { field, groupIdOf, kinds, listen, type Member, scene } from "./groups-scene.ts";
import { type Answer, secretOf } from "./server.ts";

const linkTo = async (by: Member, groupId: number, link: object = {}): Promise<string> =>
  secretOf(String(field(await by.browser.post(`/im/groups/${groupId}/link`, link), "url")));

const join = async (by: Member, secret: string): Promise<Answer> => await by.browser.post("/im/join", { secret });

const result = ({ status, error }: Answer): unknown => error ?? status;

describe("a link of a room", () => {
  it("makes people who have an account members, with a notice, and tells the room", async () => {
    const { alice, bob, url, create, notices } = await scene();
    const groupId = await create(alice);
    const secret = await linkTo(alice, groupId);
    const [atAlice, atBob] = [await listen(alice, url), await listen(bob, url)];
    const joined = await join(bob, secret);
    expect(joined.data).toMatchObject({ groupId, role: "member", memberCount: 2 });
    expect(await notices(bob, groupId)).toEqual(["created", "joined"]);
    expect([kinds(await atAlice()), kinds(await atBob())]).toEqual([["members"], ["added"]]);
  });

  it("has as many uses as it says, whoever is faster, and none is lost for members", async () => {
    const { alice, bob, carol, member, create } = await scene();
    const groupId = await create(alice, [bob]);
    const secret = await linkTo(alice, groupId, { uses: 1 });
    expect(result(await join(bob, secret))).toBe(200);
    const dave = await member("dave");
    const answers = await Promise.all([carol, dave].map(async (one) => await join(one, secret)));
    expect(new Set(answers.map(result))).toEqual(new Set([200, "link_ended"]));
    expect(field(await alice.browser.get(`/im/groups/${groupId}`), "memberCount")).toBe(3);
  });

  it("is made, listed and ended by those who run the room, and by nobody else", async () => {
    const { alice, bob, carol, create, role } = await scene();
    const groupId = await create(alice, [bob]);
    const links = `/im/groups/${groupId}/links`;
    expect(result(await bob.browser.post(`/im/groups/${groupId}/link`))).toBe("not_allowed");
    expect(result(await carol.browser.post(`/im/groups/${groupId}/link`))).toBe("group_not_found");
    await role(alice, groupId, bob, "moderator");
    const made = await bob.browser.post(`/im/groups/${groupId}/link`, { uses: 3 });
    await linkTo(alice, await create(alice));
    const id = String(field(made, "id"));
    expect(field(await alice.browser.get(links), "list")).toEqual([
      expect.objectContaining({ id, makerId: bob.id, uses: 3, used: 0, revoked: false }),
    ]);
    expect(JSON.stringify(await alice.browser.get(links))).not.toContain(secretOf(String(field(made, "url"))));
    expect(result(await carol.browser.delete(`${links}/${id}`))).toBe("group_not_found");
    expect(result(await alice.browser.delete(`/im/groups/${await create(alice)}/links/${id}`))).toBe("not_found");
    expect(result(await alice.browser.delete(`${links}/${id}`))).toBe(200);
    expect(result(await join(carol, secretOf(String(field(made, "url")))))).toBe("link_ended");
  });

  it("is listed page by page", async () => {
    const { alice, create } = await scene();
    const groupId = await create(alice);
    for (let made = 0; made < 3; made += 1) await linkTo(alice, groupId);
    const links = `/im/groups/${groupId}/links`;
    const first = await alice.browser.get(`${links}?pageSize=2`);
    const rest = await alice.browser.get(`${links}?pageSize=2&cursor=${String(field(first, "nextCursor"))}`);
    const ids = [first, rest].map((page) => JSON.stringify(field(page, "list")).match(/"id":"[^"]+/g) ?? []);
    expect(ids.map(({ length }) => length)).toEqual([2, 1]);
    expect(new Set(ids.flat()).size).toBe(3);
    expect(field(rest, "nextCursor")).toBeNull();
  });

  it("ends with its maker, who no longer runs the room or is suspended, and with the room", async () => {
    const { telex, alice, bob, carol, create, role } = await scene();
    const groupId = await create(alice, [bob]);
    await role(alice, groupId, bob, "moderator");
    const [ofBob, ofAlice] = [await linkTo(bob, groupId), await linkTo(alice, groupId)];
    await role(alice, groupId, bob, "member");
    expect(result(await join(carol, ofBob))).toBe("link_ended");
    await role(alice, groupId, bob, "owner");
    await telex.operator.users.amend(operator, { id: alice.id, state: "suspended" });
    expect(result(await join(carol, ofAlice))).toBe("link_ended");
    await bob.browser.delete(`/im/groups/${groupId}`);
    expect(result(await join(carol, ofBob))).toBe("link_ended");
  });

  it("opens no archived room, no private chat and no room of an external network", async () => {
    const { telex, alice, bob, carol, create } = await scene();
    const groupId = await create(alice);
    const secret = await linkTo(alice, groupId);
    await alice.browser.post(`/im/groups/${groupId}/archive`);
    expect(result(await join(carol, secret))).toBe("archived");
    expect(result(await alice.browser.post(`/im/groups/${groupId}/link`))).toBe("archived");
    await alice.browser.post(`/im/groups/${groupId}/unarchive`);
    expect(result(await join(carol, secret))).toBe(200);
    const chat = groupIdOf(await alice.browser.post("/im/groups", { userId: bob.id }));
    expect(result(await alice.browser.post(`/im/groups/${chat}/link`))).toBe("not_allowed");
    const network = await telex.operator.groups.add(operator, {
      groupType: 4,
      name: "Out",
      members: [alice.id],
      ext: "1",
      bot: "b",
    });
    expect(result(await alice.browser.post(`/im/groups/${network.groupId}/link`))).toBe("not_supported");
  });

  it("is nothing but a word where it is wrong", async () => {
    const { alice, invite } = await scene();
    for (const secret of ["x", "", "tlxl_".padEnd(60, "a"), await invite()])
      expect([400, "link_ended", "invalid_request"]).toContain(result(await join(alice, secret)));
  });

  it("shows the room to a browser, and lets only who is signed in enter", async () => {
    const { alice, bob, browser, create, seen } = await scene();
    const groupId = await create(alice);
    const secret = await linkTo(alice, groupId);
    const open = async (by: Member["browser"], form: Record<string, string>) =>
      await by.open("/user/join?lang=en", { method: "POST", form: { secret, ...form } });
    const stranger = await open(browser(), { enter: "1" });
    expect(stranger.text).toContain("Sign in to join this room");
    expect((await open(bob.browser, {})).text).toContain("Join the room");
    expect(await seen(bob, groupId)).toBe("404");
    const entered = await open(bob.browser, { enter: "1" });
    expect([entered.status, entered.headers.get("location")]).toEqual([303, `/user/rooms/${groupId}`]);
    expect(await seen(bob, groupId)).toBe("member");
  });
});
