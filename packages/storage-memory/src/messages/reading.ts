import type { MarkedRead, MessageRecord, MessageStore, RoomReading } from "@telex/core/storage";
import type { Report } from "../stores/changes.ts";
import type { Verb } from "../engine/gate.ts";
import { indexOfKey } from "../engine/sorted.ts";
import type { Tables } from "../engine/tables.ts";

/** How far users have read rooms: the position of the newest message that each has read, by room and user. */
export interface Markers {
  readonly of: (groupId: number, userId: number) => number;
  /** Moves a marker forward. False if it is already there or further. */
  readonly raise: (groupId: number, userId: number, seq: number) => boolean;
  readonly table: Tables["readMarkers"];
}

export function createMarkers(): Markers {
  const rooms = new Map<number, Map<number, number>>();
  const of = (groupId: number, userId: number): number => rooms.get(groupId)?.get(userId) ?? 0;
  const put = (groupId: number, userId: number, seq: number): void => {
    rooms.set(groupId, (rooms.get(groupId) ?? new Map<number, number>()).set(userId, seq));
  };
  return {
    of,
    raise(groupId, userId, seq) {
      if (seq <= of(groupId, userId)) return false;
      put(groupId, userId, seq);
      return true;
    },
    table: {
      *all() {
        for (const [groupId, users] of rooms) for (const [userId, seq] of users) yield { groupId, userId, seq };
      },
      put: ({ groupId, userId, seq }) => put(groupId, userId, seq),
    },
  };
}

/** Marks the room as read by the sender of a message up to it. */
export function readOwn(markers: Markers, { external, userId, groupId, seq, notice }: MessageRecord): void {
  if (!external && notice === null) markers.raise(groupId, Number(userId), seq);
}

function readingAt({ rooms, notices }: ReadRooms, groupId: number, seq: number): RoomReading {
  const room = rooms.get(groupId) ?? [];
  const ofRoom = notices.get(groupId) ?? [];
  const unreadNotices = ofRoom.length - indexOfKey(ofRoom, (at) => at, seq + 1);
  return {
    readUpTo: room[seq - 1]?.id ?? 0,
    unread: room.length - seq - unreadNotices,
    newest: room.at(-1) ?? null,
  };
}

/** The messages of each room, and the positions of its notices. */
interface ReadRooms {
  readonly rooms: ReadonlyMap<number, readonly MessageRecord[]>;
  readonly notices: ReadonlyMap<number, readonly number[]>;
}

/** Maximum messages with mentions that are counted, the newest ones first. */
const mostMentioning = 1000;

const mentionsUser = (mentions: string | null, userId: number): boolean =>
  mentions === " * " || mentions?.includes(` ${userId} `) === true;

export const readingVerbs = (
  verb: Verb,
  stored: ReadRooms & { readonly markers: Markers },
  report: Report,
): Pick<MessageStore, "findReadings" | "findReaders" | "markRead" | "countMentions"> => ({
  countMentions: verb(
    (userId, groupIds) =>
      new Map(
        groupIds.map((groupId) => {
          const above = (stored.rooms.get(groupId) ?? []).slice(stored.markers.of(groupId, userId));
          const mentioning = above.filter(({ mentions }) => mentions !== null).slice(-mostMentioning);
          return [groupId, mentioning.filter(({ mentions }) => mentionsUser(mentions, userId)).length];
        }),
      ),
  ),
  findReadings: verb(
    (userId, groupIds) =>
      new Map(groupIds.map((groupId) => [groupId, readingAt(stored, groupId, stored.markers.of(groupId, userId))])),
  ),
  findReaders: verb(({ groupId, seq, userIds }) =>
    userIds.filter((userId) => stored.markers.of(groupId, userId) >= seq),
  ),
  markRead: verb(({ groupId, userId, upTo }): MarkedRead => {
    const moved = stored.markers.raise(
      groupId,
      userId,
      indexOfKey(stored.rooms.get(groupId) ?? [], ({ id }) => id, upTo + 1),
    );
    const { readUpTo, unread } = readingAt(stored, groupId, stored.markers.of(groupId, userId));
    if (moved) report("marker", `${groupId}/${userId}/${readUpTo}`);
    return { moved, readUpTo, unread };
  }),
});
