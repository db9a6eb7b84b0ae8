import { createManualClock } from "@telex/conformance/testing";
import { operator } from "@telex/core";
import { createMemoryStorage } from "@telex/storage-memory";
import { describe, expect, it } from "vitest";
import { start } from "./server.ts";

/** Alice owns a room with a model, and with Bob and Carol, who are younger than the model. */
async function scene(storage?: ReturnType<typeof createMemoryStorage>) {
  const clock = createManualClock(Date.now());
  const server = await start({}, storage === undefined ? {} : { beside: { clock, storage } });
  const { users, groups } = server.telex.operator;
  const alice = await server.member("alice");
  const model = await users.add(operator, { nickname: "Echo", ai: "echo" });
  const [bob, carol] = [await server.member("bob"), await server.member("carol")];
  const room = { name: "Tea", members: [model.id, bob.id, carol.id] };
  const made = await alice.browser.post("/im/groups", room);
  const groupId = Number(Reflect.get(Object(made.data), "groupId"));
  const suspend = async ({ id }: { readonly id: number }, state: "suspended" | "active" = "suspended") =>
    await users.amend(operator, { id, state });
  const give = async (by: typeof alice, { id: userId }: { readonly id: number }, role: string) =>
    await by.browser.post(`/im/groups/${groupId}/members`, { roles: [{ userId, role }] });
  const roleOf = async ({ browser }: typeof alice): Promise<unknown> =>
    Reflect.get(Object((await browser.get(`/im/groups/${groupId}`)).data), "role");
  const notices = async ({ browser }: typeof alice): Promise<string[]> => {
    const history = await browser.get(`/im/getMessage?groupId=${groupId}&groupType=1&pageSize=100&more=1`);
    return JSON.stringify(history.data).match(/(?<="kind":")\w+/g) ?? [];
  };
  const remove = async ({ id }: { readonly id: number }) => await users.remove(operator, { id });
  const list = async () => (await groups.list(operator, {})).map((group) => group.groupId);
  return { alice, bob, carol, model, groupId, suspend, give, roleOf, notices, remove, list };
}

describe("a room whose only owner is suspended", () => {
  it("passes to the oldest person who can run it, with a notice, and has both as owners afterwards", async () => {
    const { alice, bob, carol, suspend, roleOf, notices } = await scene();
    await suspend(bob);
    await suspend(alice);
    expect(await roleOf(carol)).toBe("owner");
    expect(await notices(carol)).toEqual(["roles_changed", "created"]);
    await suspend(alice);
    await suspend(alice, "active");
    await suspend(bob, "active");
    const again = await alice.browser.post("/account/signIn", { username: "alice", password: alice.password });
    expect(again.status).toBe(200);
    expect(await roleOf(alice)).toBe("owner");
    expect(await notices(carol)).toHaveLength(2);
  });

  it.each([
    ["demotes themselves", "members", (userId: number) => ({ roles: [{ userId, role: "member" }] })],
    ["leaves", "leave", () => ({})],
  ] as const)("passes on if the other owner %s at the same time", async (_, path, bodyOf) => {
    const storage = createMemoryStorage();
    const { groups } = storage;
    const { alice, bob, carol, groupId, suspend, give, roleOf } = await scene(storage);
    await give(alice, bob, "owner");
    const amendRoom = groups.amendRoom.bind(groups);
    // Bob is suspended after the change was decided, and before it is made.
    groups.amendRoom = async (...change: Parameters<typeof amendRoom>) => {
      groups.amendRoom = amendRoom;
      await suspend(bob);
      return await amendRoom(...change);
    };
    const changed = await alice.browser.post(`/im/groups/${groupId}/${path}`, bodyOf(alice.id));
    expect(changed.status).toBe(200);
    expect([await roleOf(alice), await roleOf(carol)]).toContain("owner");
  });

  it("stays as it is while another owner can run it", async () => {
    const { alice, bob, carol, suspend, give, roleOf, notices } = await scene();
    await give(alice, carol, "owner");
    await suspend(alice);
    expect([await roleOf(bob), await roleOf(carol)]).toEqual(["member", "owner"]);
    expect(await notices(carol)).toEqual(["roles_changed", "created"]);
  });

  it("is not left to a suspended owner, or to one that is a model", async () => {
    const { alice, bob, carol, model, groupId, suspend, give, roleOf } = await scene();
    await give(alice, bob, "owner");
    await give(alice, model, "owner");
    await suspend(bob);
    const given = await give(alice, alice, "member");
    expect([given.status, given.error]).toEqual([409, "last_owner"]);
    await alice.browser.post(`/im/groups/${groupId}/leave`);
    expect(await roleOf(carol)).toBe("owner");
  });
});

describe("a room whose only owner is removed", () => {
  it("passes on as if they had left", async () => {
    const { alice, bob, carol, give, remove, roleOf, notices } = await scene();
    await give(alice, carol, "moderator");
    await remove(alice);
    expect([await roleOf(bob), await roleOf(carol)]).toEqual(["member", "owner"]);
    expect(await notices(carol)).toEqual(["roles_changed", "left", "roles_changed", "created"]);
  });

  it("is removed with the last member", async () => {
    const { alice, groupId, remove, list } = await scene();
    const made = await alice.browser.post("/im/groups", { name: "Alone" });
    expect(made.status).toBe(200);
    expect(await list()).toHaveLength(2);
    await remove(alice);
    expect(await list()).toEqual([groupId]);
  });
});
