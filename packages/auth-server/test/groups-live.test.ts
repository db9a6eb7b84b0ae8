import { describe, expect, it } from "vitest";
import { groupIdOf, kinds, listen, scene } from "./groups-scene.ts";

describe("a connection with more=1", () => {
  it("is told of each change of its rooms, with the room as its member sees it", async () => {
    const { alice, bob, url, create, role } = await scene();
    const [atAlice, atBob] = [await listen(alice, url), await listen(bob, url)];
    const groupId = await create(alice, [bob]);
    await alice.browser.patch(`/im/groups/${groupId}`, { name: "Ours", topic: "All" });
    await role(alice, groupId, bob, "moderator");
    await alice.browser.post(`/im/groups/${groupId}/archive`);
    expect(kinds(await atAlice())).toEqual(["added", "name", "topic", "roles", "archived"]);
    const heard = await atBob();
    expect(kinds(heard)).toEqual(["added", "name", "topic", "roles", "archived"]);
    expect(heard.at(-1)).toMatchObject({ groupId, groupName: "Ours", role: "moderator", archived: true });
  });

  it("is told that its user was added or removed, and of a room without its user nothing", async () => {
    const { alice, bob, carol, url, create } = await scene();
    const groupId = await create(alice, [carol]);
    const members = `/im/groups/${groupId}/members`;
    const [atBob, atCarol] = [await listen(bob, url), await listen(carol, url)];
    await alice.browser.patch(`/im/groups/${groupId}`, { name: "Before" });
    await alice.browser.post(members, { add: [bob.id] });
    await alice.browser.post(members, { remove: [bob.id] });
    await alice.browser.patch(`/im/groups/${groupId}`, { name: "After" });
    const heard = await atBob();
    expect(heard).toEqual([
      expect.objectContaining({ change: "added", groupName: "Before" }),
      { groupId, groupType: 1, change: "removed" },
    ]);
    expect(kinds(await atCarol())).toEqual(["name", "members", "members", "name"]);
    await alice.browser.delete(`/im/groups/${groupId}`);
    expect(kinds(await atCarol()).at(-1)).toBe("removed");
  });

  it("is told of a private chat that its user puts away, and the other one is not", async () => {
    const { alice, bob, url } = await scene();
    const groupId = groupIdOf(await alice.browser.post("/im/groups", { userId: bob.id }));
    const [atAlice, atBob] = [await listen(alice, url), await listen(bob, url)];
    await alice.browser.post(`/im/groups/${groupId}/archive`);
    expect([kinds(await atAlice()), kinds(await atBob())]).toEqual([["archived"], []]);
  });
});
