import { createCache } from "@telex/ground/concurrency";
import type { GroupType } from "@telex/ground/contract";
import { TelexError } from "@telex/ground/errors";
import type { Room } from "../records/groups.ts";
import type { GroupStore } from "./store.ts";

interface RoomKey {
  readonly groupId: number;
  /** The type that the room must have; any type if it is left out. */
  readonly groupType?: GroupType | undefined;
  readonly userId: number;
}

/** Rooms by id, kept in memory and right within a second of a change by another process. */
export interface Rooms {
  /**
   * The room, for a member. A room that does not exist and one whose member the caller is not fail alike, so that rooms cannot
   * be probed.
   * @throws TelexError `group_not_found`
   */
  enter(key: RoomKey): Promise<Room>;
  find(groupId: number): Promise<Room | null>;
  /** The members of this room have changed. */
  forget(groupId: number): void;
  /** The members of any room may have changed. */
  forgetAll(): void;
}

async function load(store: GroupStore, groupId: number): Promise<Room | null> {
  const group = await store.findGroup(groupId);
  if (group === null) return null;
  const members = await store.listMembers(groupId);
  return { group, members: new Map(members.map((member) => [member.userId, member])) };
}

function assertEnters(room: Room | null, { groupType, userId }: RoomKey): asserts room is Room {
  if (room === null) throw new TelexError("group_not_found");
  if (!room.members.has(userId)) throw new TelexError("group_not_found", { cause: new TelexError("not_member") });
  if (groupType !== undefined && room.group.groupType !== groupType) {
    throw new TelexError("group_not_found", { reason: "group_type_wrong", params: { groupType } });
  }
}

/** Rooms of a store; at most `max` are kept. A room that does not exist is not kept. */
export function createRooms(store: GroupStore, max: number): Rooms {
  const cache = createCache<number, Room | null>(max, async (groupId) => {
    const room = await load(store, groupId);
    if (room === null) cache.forget(groupId);
    return room;
  });
  return {
    find: (groupId) => cache.get(groupId),
    async enter(key) {
      const room = await cache.get(key.groupId);
      assertEnters(room, key);
      return room;
    },
    forget: (groupId) => cache.forget(groupId),
    forgetAll: () => cache.clear(),
  };
}
