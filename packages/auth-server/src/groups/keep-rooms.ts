import type { Room } from "@telex/core/storage";
import { LRUCache } from "lru-cache";
import type { AuthOptions } from "../options.ts";

type Storage = AuthOptions["storage"];

/** Members of all rooms that are kept. */
const mostMembers = 200_000;

/** Finds rooms as they are now. The members of a room, which may be thousands, are read only after a change of it. */
function createFindRoom(groups: Storage["groups"]): Storage["groups"]["findRoom"] {
  const rooms = new LRUCache<number, Room>({
    maxSize: mostMembers,
    sizeCalculation: ({ members }) => members.size + 1,
  });
  return async (groupId) => {
    const group = await groups.findGroup(groupId);
    if (group === null) return null;
    const cached = rooms.get(groupId);
    if (cached?.group.rev === group.rev) return cached;
    const room = await groups.findRoom(groupId);
    if (room !== null) rooms.set(groupId, room);
    return room;
  };
}

/** Wraps a storage, and keeps the rooms that it finds in memory. */
export function keepRooms(storage: Storage): Storage {
  const { groups } = storage;
  const kept: Storage["groups"] = {
    findGroup: async (groupId) => await groups.findGroup(groupId),
    listGroupsOf: async (userId) => await groups.listGroupsOf(userId),
    findRoom: createFindRoom(groups),
    appendRoom: async (group, members) => await groups.appendRoom(group, members),
    amendRoom: async (change) => await groups.amendRoom(change),
  };
  const { accounts, grants, keys, users, messages, teleprinter } = storage;
  return { accounts, grants, keys, users, messages, teleprinter, groups: kept };
}
