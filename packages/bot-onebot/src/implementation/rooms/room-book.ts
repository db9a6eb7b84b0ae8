import { operator, type Telex, TelexError } from "@telex/core";
import { LRUCache } from "lru-cache";

/** Maximum rooms that are remembered. */
const roomsKept = 1000;

/** A member of a room. */
export interface BookedMember {
  readonly userId: number;
  readonly nickname: string;
  readonly card: string | null;
  readonly ext: string | null;
}

/** A room that is stored here. */
export interface BookedRoom {
  readonly groupId: number;
  readonly groupType: 1 | 2;
  readonly name: string;
  readonly createdAt: string;
  /** True for a chat of two people, which is not a group. */
  readonly isPrivate: boolean;
  readonly members: ReadonlyMap<number, BookedMember>;
}

/** A room before and after a change; null if it does not exist. `before` is undefined if it was not remembered. */
interface RoomChange {
  readonly groupId: number;
  readonly before: BookedRoom | null | undefined;
  readonly after: BookedRoom | null;
}

/** The rooms of the types 1 and 2, remembered until they change. */
export interface RoomBook {
  /** The room; null if it does not exist, or belongs to an external network. */
  find(groupId: number): Promise<BookedRoom | null>;
  /**
   * The room, for a member: others cannot find out whether it exists.
   * @throws TelexError `group_not_found`
   */
  enter(groupId: number, userId: number): Promise<BookedRoom>;
  /** Reads a room again. */
  changed(groupId: number): Promise<RoomChange>;
  /** Marks a room that may have changed. It is read again when it is needed. */
  forget(groupId: number): void;
  /** Forgets the rooms of a user whose name may have changed. */
  forgetNames(userId: number): void;
}

/** The members of a room; null if it was removed. */
const listMembers = (admin: Telex["operator"], groupId: number) =>
  admin.groups.members(operator, { groupId }).catch((cause: unknown) => {
    if (TelexError.is(cause) && cause.code === "group_not_found") return null;
    throw cause;
  });

async function load({ operator: admin }: Telex, groupId: number): Promise<BookedRoom | null> {
  const [group] = await admin.groups.list(operator, { ...(groupId > 1 && { after: groupId - 1 }), limit: 1 });
  if (group?.groupId !== groupId || (group.groupType !== 1 && group.groupType !== 2)) return null;
  const members = await listMembers(admin, groupId);
  if (members === null) return null;
  return {
    groupId,
    groupType: group.groupType,
    name: group.name,
    createdAt: group.createdAt,
    isPrivate: group.groupType === 2 && members.length <= 2,
    members: new Map(members.map((member) => [member.userId, member])),
  };
}

export function createRoomBook(telex: Telex): RoomBook {
  const rooms = new LRUCache<number, Promise<BookedRoom | null>>({ max: roomsKept });
  /** Rooms that must be read again for their names; their members are still known. */
  const stale = new Set<number>();
  const read = (groupId: number): Promise<BookedRoom | null> => {
    const loading = load(telex, groupId);
    rooms.set(groupId, loading);
    stale.delete(groupId);
    // A failure is not remembered.
    loading.catch(() => rooms.delete(groupId));
    return loading;
  };
  const find = (groupId: number): Promise<BookedRoom | null> =>
    (stale.has(groupId) ? undefined : rooms.get(groupId)) ?? read(groupId);
  return {
    find,
    async enter(groupId, userId) {
      const room = await find(groupId);
      if (room === null || !room.members.has(userId)) throw new TelexError("group_not_found");
      return room;
    },
    async changed(groupId) {
      const before = await rooms.get(groupId)?.catch(() => undefined);
      return { groupId, before, after: await read(groupId) };
    },
    forget: (groupId) => void rooms.delete(groupId),
    forgetNames(userId) {
      for (const [groupId, loading] of rooms.entries())
        void loading.then((room) => room?.members.has(userId) === true && stale.add(groupId)).catch(() => {});
    },
  };
}
