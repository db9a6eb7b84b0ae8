import { operator } from "@telex/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ticks } from "@telex/conformance/testing";
import { field, groupIdOf, type Member, scene } from "./groups-scene.ts";
import { type Answer, secretOf } from "./server.ts";

describe("a room that a person makes", () => {
  it("has them as owner, the others as members, and a notice that says so", async () => {
    const { alice, bob, carol, seen, notices } = await scene();
    const made = await alice.browser.post("/im/groups", { name: "茶馆", topic: "关于茶", members: [bob.id, bob.id] });
    expect(made.data).toMatchObject({
      groupType: 1,
      groupName: "茶馆",
      topic: "关于茶",
      role: "owner",
      archived: false,
      memberCount: 2,
      unread: 0,
    });
    const groupId = groupIdOf(made);
    expect([await seen(alice, groupId), await seen(bob, groupId), await seen(carol, groupId)]).toEqual([
      "owner",
      "member",
      "404",
    ]);
    expect(await notices(bob, groupId)).toEqual(["created"]);
    const item = await bob.browser.get(`/im/groups/${groupId}`);
    expect(field(item, "lastMessage")).toMatchObject({ notice: { kind: "created" } });
  });

  it("is one room for one nonce, however many ask", async () => {
    const { alice, bob } = await scene();
    const ask = async (by: Member) => groupIdOf(await by.browser.post("/im/groups", { name: "Tea", nonce: "n" }));
    const ids = await Promise.all(Array.from({ length: 5 }, async () => await ask(alice)));
    expect(new Set(ids).size).toBe(1);
    expect(await ask(bob)).not.toBe(ids[0]);
  });

  it("is refused for a nonce with which another one was made", async () => {
    const { alice, bob } = await scene();
    const ask = async (body: object) =>
      (await alice.browser.post("/im/groups", { name: "Tea", nonce: "n", ...body })).error;
    expect([await ask({}), await ask({})]).toEqual([undefined, undefined]);
    for (const other of [{ name: "Coffee" }, { topic: "Cups" }, { members: [bob.id] }])
      expect(await ask(other)).toBe("nonce_conflict");
  });

  it("takes only people with an account who are not suspended, and only where everybody may make rooms", async () => {
    const { telex, alice, bob, person, create } = await scene();
    const stranger = await person("Stranger");
    const ask = async (userId: number) => await alice.browser.post("/im/groups", { name: "Tea", members: [userId] });
    expect((await ask(stranger.id)).error).toBe("user_not_found");
    expect((await ask(999)).error).toBe("user_not_found");
    await telex.operator.users.amend(operator, { id: bob.id, state: "suspended" });
    expect((await ask(bob.id)).error).toBe("user_not_found");
    expect((await alice.browser.post("/im/groups", {})).status).toBe(400);
    expect(await create(alice)).toBeGreaterThan(0);
    const closed = await scene({ roomCreation: "admins" });
    expect((await closed.alice.browser.post("/im/groups", { name: "Tea" })).error).toBe("not_allowed");
  });
});

describe("a private chat", () => {
  it("is the same one, whoever of the two asks, and however often; each sees the name and picture of the other", async () => {
    const { alice, bob } = await scene();
    const asks = [alice, bob, alice, bob].map(async (by) => {
      return await by.browser.post("/im/groups", { userId: by === alice ? bob.id : alice.id });
    });
    const answers = await Promise.all(asks);
    expect(new Set(answers.map(groupIdOf)).size).toBe(1);
    const fields = ["groupType", "groupName", "avatar"];
    expect(answers.slice(0, 2).map((answer) => fields.map((name) => field(answer, name)))).toEqual([
      [2, "bob", `/api/avatar/get/personal?id=${bob.id}`],
      [2, "alice", `/api/avatar/get/personal?id=${alice.id}`],
    ]);
    expect((await alice.browser.post("/im/groups", { userId: alice.id })).status).toBe(400);
    expect((await alice.browser.post("/im/groups", { userId: 999 })).error).toBe("user_not_found");
  });

  it("is the oldest one with exactly the two, also if an operator has added it", async () => {
    const { telex, alice, bob, carol } = await scene();
    const add = async (members: readonly number[]) =>
      (await telex.operator.groups.add(operator, { groupType: 2, name: "Old", members: [...members] })).groupId;
    await add([alice.id, bob.id, carol.id]);
    const old = await add([bob.id, alice.id]);
    await add([alice.id, bob.id]);
    expect(groupIdOf(await alice.browser.post("/im/groups", { userId: bob.id }))).toBe(old);
  });

  it("has the two for ever, and each puts it away alone", async () => {
    const { alice, bob, carol } = await scene();
    const groupId = groupIdOf(await alice.browser.post("/im/groups", { userId: bob.id }));
    const refused = [
      await alice.browser.post(`/im/groups/${groupId}/leave`),
      await alice.browser.post(`/im/groups/${groupId}/members`, { add: [carol.id] }),
      await alice.browser.post(`/im/groups/${groupId}/members`, { remove: [bob.id] }),
      await alice.browser.patch(`/im/groups/${groupId}`, { name: "Ours" }),
      await alice.browser.delete(`/im/groups/${groupId}`),
    ];
    expect(refused.map(({ error }) => error)).toEqual(refused.map(() => "not_allowed"));
    expect(field(await alice.browser.post(`/im/groups/${groupId}/archive`), "archived")).toBe(true);
    expect(field(await bob.browser.get(`/im/groups/${groupId}`), "archived")).toBe(false);
    const sent = await bob.browser.post("/im/sendGroupMessage", { groupId, groupType: 2, message: "Hello." });
    expect(sent.status).toBe(200);
    expect(field(await alice.browser.post(`/im/groups/${groupId}/unarchive`), "archived")).toBe(false);
  });
});

describe("the people who run a room", () => {
  it("are owners, who may do everything, and moderators, who add people and remove members", async () => {
    const { alice, bob, carol, create, role, seen, notices } = await scene();
    const groupId = await create(alice, [bob]);
    const members = `/im/groups/${groupId}/members`;
    expect((await bob.browser.post(members, { add: [carol.id] })).error).toBe("not_allowed");
    expect((await bob.browser.patch(`/im/groups/${groupId}`, { name: "Mine" })).error).toBe("not_allowed");
    expect((await carol.browser.post(members, { add: [999] })).error).toBe("group_not_found");
    await role(alice, groupId, bob, "moderator");
    await bob.browser.post(members, { add: [carol.id] });
    expect(field(await bob.browser.patch(`/im/groups/${groupId}`, { name: "Ours", topic: "All" }), "topic")).toBe(
      "All",
    );
    expect((await bob.browser.post(members, { remove: [alice.id] })).error).toBe("not_allowed");
    expect((await role(bob, groupId, carol, "moderator")).error).toBe("not_allowed");
    expect((await bob.browser.post(`/im/groups/${groupId}/archive`)).error).toBe("not_allowed");
    await bob.browser.post(members, { remove: [carol.id] });
    expect(await seen(carol, groupId)).toBe("404");
    expect((await bob.browser.delete(`/im/groups/${groupId}`)).error).toBe("not_allowed");
    expect(await notices(alice, groupId)).toEqual([
      "created",
      "roles_changed",
      "members_added",
      "renamed",
      "topic_changed",
      "members_removed",
    ]);
    expect((await alice.browser.delete(`/im/groups/${groupId}`)).status).toBe(200);
    expect(await seen(bob, groupId)).toBe("404");
  });

  it("say only once what is the same already", async () => {
    const { alice, bob, create, notices } = await scene();
    const groupId = await create(alice, [bob]);
    await alice.browser.patch(`/im/groups/${groupId}`, { name: "Tea" });
    await alice.browser.post(`/im/groups/${groupId}/members`, { add: [bob.id], remove: [999] });
    expect(await notices(alice, groupId)).toEqual(["created"]);
  });

  it("keep an owner: the last one cannot be demoted or removed, and passes the room on by leaving", async () => {
    const { alice, bob, carol, create, role, seen } = await scene();
    const groupId = await create(alice, [bob, carol]);
    expect((await role(alice, groupId, alice, "member")).error).toBe("last_owner");
    const remove = await alice.browser.post(`/im/groups/${groupId}/members`, { remove: [alice.id] });
    expect(remove.error).toBe("last_owner");
    await role(alice, groupId, carol, "moderator");
    await alice.browser.post(`/im/groups/${groupId}/leave`);
    expect([await seen(alice, groupId), await seen(bob, groupId), await seen(carol, groupId)]).toEqual([
      "404",
      "member",
      "owner",
    ]);
    await carol.browser.post(`/im/groups/${groupId}/leave`);
    expect(await seen(bob, groupId)).toBe("owner");
    await bob.browser.post(`/im/groups/${groupId}/leave`);
    expect(await seen(bob, groupId)).toBe("404");
  });

  it("keep an owner, if two owners demote each other simultaneously", async () => {
    const { alice, bob, create, role, seen } = await scene();
    const groupId = await create(alice, [bob]);
    await role(alice, groupId, bob, "owner");
    const answers = await Promise.all([role(alice, groupId, bob, "member"), role(bob, groupId, alice, "member")]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403]);
    expect([await seen(alice, groupId), await seen(bob, groupId)].toSorted()).toEqual(["member", "owner"]);
  });

  it("leave one owner when all leave simultaneously but one", async () => {
    const { alice, bob, carol, create, seen } = await scene();
    const groupId = await create(alice, [bob, carol]);
    await Promise.all([alice, bob].map(async ({ browser }) => await browser.post(`/im/groups/${groupId}/leave`)));
    expect(await seen(carol, groupId)).toBe("owner");
  });
});

describe("an invitation by a member", () => {
  const invite = async (by: Member, groupId: number) => await by.browser.post("/invitations", { groups: [groupId] });
  const join = async (browser: Member["browser"], invited: Answer, username: string) => {
    const secret = secretOf(String(field(invited, "url")));
    return await browser.post("/account/join", { secret, username, password: `${username}'s password` });
  };

  it("leads into rooms that they run, with a notice, if members may invite", async () => {
    const { alice, bob, browser, create, seen, notices } = await scene({ invitations: "members" });
    const groupId = await create(alice, [bob]);
    expect((await invite(bob, groupId)).error).toBe("not_allowed");
    const dave = browser();
    const joined = await join(dave, await invite(alice, groupId), "dave");
    expect(joined.status).toBe(200);
    expect(await seen({ id: 0, browser: dave, password: "" }, groupId)).toBe("member");
    expect(await notices(alice, groupId)).toEqual(["created", "joined"]);
    const closed = await scene();
    expect((await invite(closed.alice, await closed.create(closed.alice))).error).toBe("not_allowed");
  });

  it("ends when they no longer run the room", async () => {
    const { alice, bob, browser, create, role } = await scene({ invitations: "members" });
    const groupId = await create(alice, [bob]);
    await role(alice, groupId, bob, "moderator");
    const invited = await invite(bob, groupId);
    await role(alice, groupId, bob, "member");
    expect((await join(browser(), invited, "dave")).error).toBe("link_ended");
  });
});

describe("a member who is removed", () => {
  it("gets nothing more from the acknowledgement on", async () => {
    const { alice, bob, url, create } = await scene();
    const groupId = await create(alice, [bob]);
    const socket = new WebSocket(`${url.replace("http", "ws")}/external/api/v1/im/imWebSocket`, {
      headers: { cookie: bob.browser.cookie, origin: url },
    });
    const heard: string[] = [];
    socket.addEventListener("message", ({ data }) => heard.push(String(data)));
    await new Promise((resolve) => socket.addEventListener("open", resolve));
    const send = async (message: string) =>
      await alice.browser.post("/im/sendGroupMessage", { groupId, groupType: 1, message });
    await send("before");
    const onTheWay = Array.from({ length: 10 }, async (_, at) => await send(`on its way ${at}`));
    await alice.browser.post(`/im/groups/${groupId}/members`, { remove: [bob.id] });
    await Promise.all([...onTheWay, send("after")]);
    // The answer to its own command comes after all earlier frames.
    socket.send(JSON.stringify({ command: "sendGroupMessage", groupId, groupType: 1, message: "mine" }));
    while (!heard.some((frame) => frame.includes("OperationFailed"))) await ticks();
    expect(heard.join()).toContain("before");
    expect(heard.join()).not.toContain("after");
    socket.close();
  });
});

describe("a room that is archived", () => {
  it("comes last in the list of each member who has put it away, or of all", async () => {
    const { alice, bob, create } = await scene();
    const [first, second, third] = [await create(alice, [bob]), await create(alice, [bob]), await create(bob, [alice])];
    const chat = groupIdOf(await bob.browser.post("/im/groups", { userId: alice.id }));
    await alice.browser.post(`/im/groups/${third}/archive`);
    await alice.browser.post(`/im/groups/${second}/archive`);
    await bob.browser.post(`/im/groups/${chat}/archive`);
    const list = async (by: Member): Promise<number[]> => {
      const ids: number[] = [];
      for (let cursor = ""; ;) {
        const page = await by.browser.get(`/im/groups?pageSize=1${cursor === "" ? "" : `&cursor=${cursor}`}`);
        ids.push(
          ...z
            .array(z.object({ groupId: z.int() }))
            .parse(field(page, "list"))
            .map(({ groupId }) => groupId),
        );
        if (field(page, "nextCursor") === null) return ids;
        cursor = String(field(page, "nextCursor"));
      }
    };
    expect((await list(alice)).at(-1)).toBe(second);
    expect((await list(bob)).slice(-2)).toEqual([second, chat]);
    expect((await list(bob)).toSorted((a, b) => a - b)).toEqual([first, second, third, chat].toSorted((a, b) => a - b));
  });

  it("can be read, and not written in, until an owner brings it back", async () => {
    const { alice, bob, create } = await scene();
    const groupId = await create(alice, [bob]);
    const send = async () =>
      (await bob.browser.post("/im/sendGroupMessage", { groupId, groupType: 1, message: "Hello." })).error;
    expect(field(await alice.browser.post(`/im/groups/${groupId}/archive`), "archived")).toBe(true);
    expect(await send()).toBe("archived");
    expect((await bob.browser.get(`/im/getMessage?groupId=${groupId}&groupType=1`)).status).toBe(200);
    await alice.browser.post(`/im/groups/${groupId}/unarchive`);
    expect(await send()).toBeUndefined();
  });
});

describe("a room of an external network", () => {
  it("is run there, and says so", async () => {
    const { telex, alice, bob } = await scene();
    const { groupId } = await telex.operator.groups.add(operator, {
      groupType: 4,
      name: "Out",
      members: [alice.id],
      ext: "1",
      bot: "b",
    });
    const members = await alice.browser.post(`/im/groups/${groupId}/members`, { add: [bob.id] });
    expect([members.status, members.error]).toEqual([409, "not_supported"]);
    expect((await alice.browser.post(`/im/groups/${groupId}/leave`)).error).toBe("not_supported");
  });
});
