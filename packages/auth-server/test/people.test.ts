import { operator } from "@telex/core";
import { describe, expect, it } from "vitest";
import { field, groupIdOf, kinds, listen, type Member, scene } from "./groups-scene.ts";
import type { Answer } from "./server.ts";

const result = ({ status, error }: Answer): unknown => error ?? status;

const listOf = (answer: Answer): readonly unknown[] => {
  const list = field(answer, "list");
  return Array.isArray(list) ? list : [];
};

const namesOf = (answer: Answer): string[] => listOf(answer).map((one) => String(Reflect.get(Object(one), "nickname")));

const find = async (by: Member, query: string): Promise<string[]> =>
  namesOf(await by.browser.get(`/im/people?query=${encodeURIComponent(query)}`));

describe("people", () => {
  it("are found by nickname, username and pinyin, models as well, and others are not", async () => {
    const { telex, alice, bob } = await scene();
    const { id: model } = await telex.operator.users.add(operator, { nickname: "Oracle" });
    await telex.operator.users.amend(operator, { id: model, ai: "echo" });
    await telex.operator.users.add(operator, { nickname: "Nobody's token" });
    await telex.operator.users.amend(operator, { id: bob.id, nickname: "王小明" });
    expect(await find(alice, "")).toEqual(["王小明", "carol", "Oracle"]);
    for (const query of ["bob", "bo", "wang", "wxm", "小明", "xiao ming"])
      expect([query, await find(alice, query)]).toEqual([query, ["王小明"]]);
    expect([await find(alice, "alice"), await find(alice, "ob"), await find(alice, "?!")]).toEqual([[], [], []]);
    const found = listOf(await alice.browser.get("/im/people?query=oracle"));
    expect(found).toEqual([expect.objectContaining({ userId: String(model), username: null, model: true })]);
  });

  it("come page by page, and only those with whom one shares a room if the setting says so", async () => {
    const { alice, bob, carol, create } = await scene({ directory: "shared" });
    expect(await find(alice, "")).toEqual([]);
    await create(carol, [alice, bob]);
    const first = await alice.browser.get("/im/people?pageSize=1");
    const second = await alice.browser.get(`/im/people?pageSize=1&cursor=${String(field(first, "nextCursor"))}`);
    expect([namesOf(first), namesOf(second)]).toEqual([["bob"], ["carol"]]);
  });

  it("are not found when they are suspended", async () => {
    const { telex, alice, bob } = await scene();
    await telex.operator.users.amend(operator, { id: bob.id, state: "suspended" });
    expect(await find(alice, "")).toEqual(["carol"]);
  });
});

describe("a person who has blocked another", () => {
  it("is not found by them, and gets neither a private chat nor a room of theirs", async () => {
    const { alice, bob, carol, create } = await scene();
    expect(result(await alice.browser.post("/im/blocks", { userId: bob.id }))).toBe(200);
    expect(result(await alice.browser.post("/im/blocks", { userId: bob.id }))).toBe(200);
    expect(namesOf(await alice.browser.get("/im/blocks"))).toEqual(["bob"]);
    expect(await find(bob, "")).toEqual(["carol"]);
    expect(result(await bob.browser.post("/im/groups", { userId: alice.id }))).toBe("user_not_found");
    expect(result(await alice.browser.post("/im/groups", { userId: bob.id }))).toBe("user_not_found");
    expect(result(await bob.browser.post("/im/groups", { name: "Tea", members: [alice.id] }))).toBe("user_not_found");
    const groupId = await create(bob, [carol]);
    const add = await bob.browser.post(`/im/groups/${groupId}/members`, { add: [alice.id] });
    expect(result(add)).toBe("user_not_found");
    expect(result(await alice.browser.delete(`/im/blocks/${bob.id}`))).toBe(200);
    expect(result(await bob.browser.post("/im/groups", { userId: alice.id }))).toBe(200);
  });

  it("closes their private chat until the block ends, however often the other one archives it", async () => {
    const { alice, bob, url } = await scene();
    const groupId = groupIdOf(await alice.browser.post("/im/groups", { userId: bob.id }));
    const send = async () =>
      result(await bob.browser.post("/im/sendGroupMessage", { groupId, groupType: 2, message: "Hello." }));
    const atBob = await listen(bob, url);
    await alice.browser.post("/im/blocks", { userId: bob.id });
    expect(await send()).toBe("archived");
    await bob.browser.post(`/im/groups/${groupId}/archive`);
    await bob.browser.post(`/im/groups/${groupId}/unarchive`);
    expect(await send()).toBe("archived");
    expect((await bob.browser.get(`/im/getMessage?groupId=${groupId}&groupType=2`)).status).toBe(200);
    await alice.browser.delete(`/im/blocks/${bob.id}`);
    expect(await send()).toBe(200);
    expect(kinds(await atBob())).toEqual(["archived", "archived", "archived", "archived"]);
  });

  it("has no open chat with them, whichever of the two is faster", async () => {
    const { alice, bob } = await scene();
    const [, opened] = await Promise.all([
      alice.browser.post("/im/blocks", { userId: bob.id }),
      bob.browser.post("/im/groups", { userId: alice.id }),
    ]);
    if (opened.status !== 200) return expect(opened.error).toBe("user_not_found");
    const message = { groupId: groupIdOf(opened), groupType: 2, message: "Hello." };
    expect(result(await bob.browser.post("/im/sendGroupMessage", message))).toBe("archived");
  });

  it("is somebody else than the blocked one, and has blocked at most 1,000", async () => {
    const { alice } = await scene();
    expect(result(await alice.browser.post("/im/blocks", { userId: alice.id }))).toBe("invalid_request");
    expect(result(await alice.browser.post("/im/blocks", { userId: 999 }))).toBe("user_not_found");
    expect(result(await alice.browser.delete("/im/blocks/999"))).toBe(200);
  });
});

describe("the places where the words of a room go", () => {
  it("are its printers, with their owners, for members only", async () => {
    const { telex, alice, bob, carol, create } = await scene();
    const groupId = await create(alice, [bob]);
    const register = await bob.browser.post("/teleprinter/register", {
      deviceId: "printer",
      name: "Hall",
      room: { groupId, mentions: false },
    });
    expect(register.status).toBe(200);
    const devices = `/im/groups/${groupId}/devices`;
    const hall = { kind: "device", name: "Hall", owner: { userId: String(bob.id), nickname: "bob" } };
    expect(listOf(await alice.browser.get(devices))).toEqual([hall]);
    expect(result(await carol.browser.get(devices))).toBe("group_not_found");
    await alice.browser.post(`/im/groups/${groupId}/members`, { remove: [bob.id] });
    expect(listOf(await alice.browser.get(devices))).toEqual([]);
    const { groupId: outside } = await telex.operator.groups.add(operator, {
      groupType: 4,
      name: "Out",
      members: [alice.id],
      ext: "1",
      bot: "b",
    });
    expect(listOf(await alice.browser.get(`/im/groups/${outside}/devices`))).toEqual([
      { kind: "bot", name: "b", owner: null },
    ]);
  });
});
