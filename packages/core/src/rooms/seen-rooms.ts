import { createLru } from "@telex/ground/caches";
import type { Rooms } from "../groups/rooms.ts";
import type { Room } from "../records/groups.ts";
import { changesForAll, changesForOne, type RoomChangeName } from "./changes.ts";

interface SeenRoomsDeps {
  readonly rooms: Pick<Rooms, "find">;
  readonly listGroupsOf: (userId: number) => Promise<readonly number[]>;
  /** Rooms whose last state is kept. Members hear of every change of another room as one of its members. */
  readonly max: number;
}

/** A user with connections that hear of changes, and the rooms in which the user is, as these connections know. */
interface Watcher {
  connections: number;
  readonly rooms: Set<number>;
  isLearning: boolean;
}

/** True if the user was in the room before. While a user's rooms are learned, only the room itself may say so. */
const wasIn = ({ rooms, isLearning }: Watcher, groupId: number, userId: number, before: Room | undefined): boolean =>
  rooms.has(groupId) || (isLearning && before?.members.has(userId) !== false);

/** Notes where a user is now. Returns the changes that the user hears of. */
function moveTo(watcher: Watcher, userId: number, before: Room | undefined, after: Room): readonly RoomChangeName[] {
  const { groupId } = after.group;
  const was = wasIn(watcher, groupId, userId, before);
  const [old, now] = [before?.members.get(userId), after.members.get(userId)];
  if (now === undefined) {
    watcher.rooms.delete(groupId);
    return was ? ["removed"] : [];
  }
  watcher.rooms.add(groupId);
  if (!was) return ["added"];
  const forAll = before === undefined ? (["members"] as const) : changesForAll(before, after);
  return old === undefined ? forAll : [...forAll, ...changesForOne(old, now)];
}

/** Keeps the last state of each room that connections got, so that each change is announced once, on every server. */
export function createSeenRooms({ rooms, listGroupsOf, max }: SeenRoomsDeps) {
  const watchers = new Map<number, Watcher>();
  const seen = createLru<number, Room>(max);
  const learn = async (watcher: Watcher, userId: number): Promise<void> => {
    for (const groupId of await listGroupsOf(userId)) {
      const room = watcher.rooms.has(groupId) ? null : await rooms.find(groupId);
      if (room?.members.has(userId) !== true) continue;
      watcher.rooms.add(groupId);
      if (!seen.has(groupId)) seen.set(groupId, room);
    }
    watcher.isLearning = false;
  };
  const leave = (userId: number, watcher: Watcher): void => {
    watcher.connections -= 1;
    if (watcher.connections === 0) watchers.delete(userId);
  };
  return {
    /** True if no connection hears of changes. */
    isIdle: (): boolean => watchers.size === 0,
    /** A connection of this user begins to hear of changes. The returned function, which must be called once, ends that. */
    async enter(userId: number): Promise<() => void> {
      const watcher = watchers.get(userId) ?? { connections: 0, rooms: new Set<number>(), isLearning: true };
      watchers.set(userId, watcher);
      watcher.connections += 1;
      try {
        if (watcher.isLearning) await learn(watcher, userId);
      } catch (cause) {
        leave(userId, watcher);
        throw cause;
      }
      return () => leave(userId, watcher);
    },
    /** The changes of a room since the last call, for each user here whom they concern. Not for simultaneous calls for one room. */
    async changesOf(groupId: number) {
      const before = seen.get(groupId);
      const room = await rooms.find(groupId);
      if (before !== undefined && room !== null && room.group.rev <= before.group.rev) return [];
      // A removed room has no members.
      const after: Room | undefined = room ?? (before && { group: before.group, members: new Map() });
      if (room === null) seen.delete(groupId);
      else seen.set(groupId, room);
      if (after === undefined) return [];
      const concerned = new Set([...(before?.members.keys() ?? watchers.keys()), ...after.members.keys()]);
      return [...concerned].flatMap((userId) => {
        const watcher = watchers.get(userId);
        const changes = watcher === undefined ? [] : moveTo(watcher, userId, before, after);
        return changes.length === 0 ? [] : [{ userId, groupType: after.group.groupType, changes }];
      });
    },
  };
}
