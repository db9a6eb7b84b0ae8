import type { MarkedRead, MessageRecord, MessageStore, RoomReading } from "@telex/core/storage";
import type { Report } from "../stores/changes.ts";
import type { Verb } from "../engine/gate.ts";
import { placeOf } from "../engine/sorted.ts";
import type { Tables } from "../engine/tables.ts";

/** How far users have read rooms: the place of the newest message that each has read, by room and user. */
export interface Markers {
  readonly of: (groupId: number, userId: number) => number;
  /** Moves a marker forward. False if it is there already, or further. */
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

/** The sender of a message has read the room up to it. */
export function readOwn(markers: Markers, { external, userId, groupId, seq }: MessageRecord): void {
  if (!external) markers.raise(groupId, Number(userId), seq);
}

const readingAt = (room: readonly MessageRecord[], seq: number): RoomReading => ({
  readUpTo: room[seq - 1]?.id ?? 0,
  unread: room.length - seq,
  newest: room.at(-1) ?? null,
});

/** The verbs on markers. */
export const readingVerbs = (
  verb: Verb,
  { markers, report }: { readonly markers: Markers; readonly report: Report },
  roomOf: (groupId: number) => readonly MessageRecord[],
): Pick<MessageStore, "findReadings" | "markRead"> => ({
  findReadings: verb(
    (userId, groupIds) =>
      new Map(groupIds.map((groupId) => [groupId, readingAt(roomOf(groupId), markers.of(groupId, userId))])),
  ),
  markRead: verb(({ groupId, userId, upTo }): MarkedRead => {
    const room = roomOf(groupId);
    const moved = markers.raise(
      groupId,
      userId,
      placeOf(room, ({ id }) => id, upTo + 1),
    );
    const { readUpTo, unread } = readingAt(room, markers.of(groupId, userId));
    if (moved) report("marker", `${groupId}/${userId}/${readUpTo}`);
    return { moved, readUpTo, unread };
  }),
});
