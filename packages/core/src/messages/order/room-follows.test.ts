import { expect, it } from "vitest";
import { newGroup, newMember } from "../../records/groups.ts";
import { createRoomFollows } from "./room-follows.ts";

/** A server to which user 7 connects, first as a member of room 1. User 7 is a member of every room but room 3. */
function createScene(track: (groupIds: readonly number[]) => Promise<void> = () => Promise.resolve()) {
  const topics: string[] = [];
  const ended: string[] = [];
  const room = (groupId: number) => ({
    group: {
      groupId,
      ...newGroup({ groupType: 1, name: "Room", ext: null, bot: null, avatar: null, createdAt: 0 }),
    },
    members: new Map(groupId === 3 ? [] : [[7, newMember(7, 0)]]),
  });
  const follows = createRoomFollows({
    bus: {
      hasPeers: true,
      follow(topic) {
        topics.push(topic);
        return { ready: Promise.resolve(), end: () => void ended.push(topic) };
      },
    },
    rooms: { find: (groupId) => Promise.resolve(room(groupId)) },
    order: { track },
    listGroupsOf: () => Promise.resolve([1]),
  });
  return { follows, topics, ended };
}

it("follows the rooms of a user while one of the user's connections listens", async () => {
  const { follows, topics, ended } = createScene();
  const [first, second] = [await follows.enter(7), await follows.enter(7)];
  for (const groupId of [2, 2, 3]) await follows.membersChanged(groupId);
  expect(topics).toEqual(["room:1", "room:2"]);
  first();
  expect(ended).toEqual([]);
  second();
  expect(ended).toEqual(["room:1", "room:2"]);
});

it("rejects if the messages of a new room cannot be tracked", async () => {
  const { follows } = createScene((groupIds) =>
    groupIds.includes(2) ? Promise.reject(new Error("away")) : Promise.resolve(),
  );
  await follows.enter(7);
  await expect(follows.membersChanged(2)).rejects.toThrow("away");
});

it("follows nothing for a connection that could not begin", async () => {
  const { follows, ended } = createScene(() => Promise.reject(new Error("away")));
  await expect(follows.enter(7)).rejects.toThrow("away");
  expect(ended).toEqual(["room:1"]);
});
