import { createCache, createLru, type Lru } from "@telex/ground/caches";
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

/** Rooms by id, cached in memory. A change by another process is visible within a second. */
export interface Rooms {
  /**
   * The room, for a member. A room that does not exist and one whose member the caller is not fail alike, so that rooms cannot
   * be probed.
   * @throws TelexError `group_not_found`
   */
  enter(key: RoomKey): Promise<Room>;
  find(groupId: number): Promise<Room | null>;
  /**
   * The room as it was loaded last, for a message that was prepared with an earlier state: a member who was removed since then must not get
   * it. Returns the given room if no other is cached.
   */
  latest(room: Room): Room;
  /** True if the room was loaded, so that a message may have been prepared with it. */
  isLoaded(groupId: number): boolean;
  /** Call it when the members of this room have changed. */
  forget(groupId: number): void;
  /** Call it when the members of any room may have changed. */
  forgetAll(): void;
}

function assertEnters(room: Room | null, { groupType, userId }: RoomKey): asserts room is Room {
  if (room === null) throw new TelexError("group_not_found");
  if (!room.members.has(userId)) throw new TelexError("group_not_found", { cause: new TelexError("not_member") });
  if (groupType !== undefined && room.group.groupType !== groupType)
    throw new TelexError("group_not_found", { reason: "group_type_wrong", params: { groupType } });
}

/** Caches a removed room as a room without members. */
function keepGone(loaded: Lru<number, Room>, groupId: number): void {
  const existing = loaded.peek(groupId);
  if (existing === undefined) return;
  loaded.set(groupId, { group: { ...existing.group, rev: Number.MAX_SAFE_INTEGER }, members: new Map() });
}

/** A load that began earlier may end later than this one. */
function keepNewer(loaded: Lru<number, Room>, room: Room): void {
  const { groupId, rev } = room.group;
  if (rev > (loaded.peek(groupId)?.group.rev ?? -1)) loaded.set(groupId, room);
}

/** Rooms of a store; at most `max` are kept. A room that does not exist is not kept. */
export function createRooms(store: GroupStore, max: number): Rooms {
  const loaded = createLru<number, Room>(max);
  const cache = createCache<number, Room | null>(max, async (groupId) => {
    const room = await store.findRoom(groupId);
    if (room === null) cache.forget(groupId);
    if (room === null) keepGone(loaded, groupId);
    else keepNewer(loaded, room);
    return room;
  });
  return {
    find: (groupId) => cache.get(groupId),
    latest: (room) => {
      const existing = loaded.peek(room.group.groupId);
      return existing !== undefined && existing.group.rev > room.group.rev ? existing : room;
    },
    async enter(key) {
      const room = await cache.get(key.groupId);
      assertEnters(room, key);
      return room;
    },
    isLoaded: (groupId) => loaded.has(groupId),
    forget: (groupId) => cache.forget(groupId),
    forgetAll: () => {
      cache.clear();
      loaded.clear();
    },
  };
}
