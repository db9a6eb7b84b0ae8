import type { Telex, TokenHolder } from "@telex/core";
import type { BookedRoom, RoomBook } from "./room-book.ts";

/** The rooms of a user that are stored here, the one with the newest message first. */
export async function* ownRooms(telex: Telex, rooms: RoomBook, holder: TokenHolder): AsyncGenerator<BookedRoom> {
  let cursor: string | null = null;
  do {
    const page = await telex.rooms.list(holder, { pageSize: 100, ...(cursor !== null && { cursor }) });
    for (const { groupId, groupType } of page.list) {
      const room = groupType === 1 || groupType === 2 ? await rooms.find(groupId) : null;
      if (room?.members.has(holder.userId) === true) yield room;
    }
    cursor = page.nextCursor;
  } while (cursor !== null);
}

/** The other member of a private room; null if the user is alone. */
export const peerOf = (room: BookedRoom, userId: number): number | null =>
  room.members.keys().find((id) => id !== userId) ?? null;
