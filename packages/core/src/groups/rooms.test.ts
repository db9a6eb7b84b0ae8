import { createMemoryStorage } from "@telex/storage-memory";
import { expect, it } from "vitest";
import { createRooms } from "./rooms.ts";

it("what was prepared with an earlier room goes to its present members only", async () => {
  const { groups } = createMemoryStorage();
  const given = { groupType: 1, name: "Tea", ext: null, bot: null, avatar: null, createdAt: 0 } as const;
  const { groupId } = await groups.appendGroup(given, [1, 2]);
  const rooms = createRooms(groups, 10);
  const prepared = await rooms.enter({ groupId, userId: 2 });
  expect(rooms.latest(prepared)).toBe(prepared);
  await groups.amendMembers(groupId, { add: [3], remove: [2] });
  rooms.forget(groupId);
  await rooms.find(groupId);
  expect([...rooms.latest(prepared).members.keys()]).toEqual([1, 3]);
  await groups.dropGroup(groupId);
  rooms.forget(groupId);
  await rooms.find(groupId);
  expect([...rooms.latest(prepared).members.keys()]).toEqual([]);
});
