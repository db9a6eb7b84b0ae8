import { describe, expect, it } from "vitest";
import { field, groupIdOf, type Member, scene } from "./groups-scene.ts";

/** Sends a message to a room. Returns a function that pins it, or removes the pin, as a member. */
async function sent(by: Member, groupId: number, groupType: number) {
  const message = await by.browser.post("/im/sendGroupMessage", { groupId, groupType, message: "Hello." });
  const messageId = Number(field(message, "messageId"));
  return async (member: Member, remove = false) =>
    (await member.browser.post("/im/pin", { groupId, messageId, remove })).error ?? "done";
}

describe("a message is pinned", () => {
  it("by each of the two in a private chat", async () => {
    const { alice, bob } = await scene();
    const groupId = groupIdOf(await alice.browser.post("/im/groups", { userId: bob.id }));
    const pin = await sent(alice, groupId, 2);
    expect([await pin(bob), await pin(alice, true), await pin(alice)]).toEqual(["done", "done", "done"]);
    const { data } = await bob.browser.get(`/im/groups/${groupId}/pins`);
    expect(data).toMatchObject({ list: [{ content: '[{"text":{"text":"Hello."}}]' }] });
  });

  it("by a moderator of a room, and by no member", async () => {
    const { alice, bob, carol, create, role } = await scene();
    const groupId = await create(alice, [bob, carol]);
    const pin = await sent(carol, groupId, 1);
    await role(alice, groupId, bob, "moderator");
    expect([await pin(carol), await pin(bob), await pin(carol, true)]).toEqual(["not_allowed", "done", "not_allowed"]);
  });

  it("only while its room is not archived", async () => {
    const { alice, create } = await scene();
    const groupId = await create(alice);
    const pin = await sent(alice, groupId, 1);
    await alice.browser.post(`/im/groups/${groupId}/archive`);
    expect(await pin(alice)).toBe("archived");
    await alice.browser.post(`/im/groups/${groupId}/unarchive`);
    expect(await pin(alice)).toBe("done");
  });
});
