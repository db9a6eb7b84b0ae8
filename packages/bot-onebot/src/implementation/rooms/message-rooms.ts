import { type MessageView, type TokenHolder, type Telex, TelexError } from "@telex/core";
import { LRUCache } from "lru-cache";
import { ownRooms } from "./own-rooms.ts";
import type { BookedRoom, RoomBook } from "./room-book.ts";

/** Maximum messages whose room is remembered. OneBot names a message without its room. */
const maxKept = 20_000;

/** A message and its room. */
interface RoomMessage {
  readonly room: BookedRoom;
  readonly view: MessageView;
}

/** Finds the rooms of messages. */
export interface MessageRooms {
  note(messageId: number, groupId: number): void;
  /**
   * The message in one of the rooms of the holder.
   * @throws TelexError `not_found`
   */
  find(holder: TokenHolder, messageId: number): Promise<RoomMessage>;
}

export function createMessageRooms(telex: Telex, rooms: RoomBook): MessageRooms {
  const groups = new LRUCache<number, number>({ maxSize: maxKept, sizeCalculation: () => 1 });
  const findIn = async (holder: TokenHolder, room: BookedRoom, messageId: number): Promise<MessageView | undefined> => {
    const { groupId, groupType } = room;
    const cursor = messageId + 1;
    const { groupMessages } = await telex.messages.history(holder, { groupId, groupType, cursor, pageSize: 1 });
    return groupMessages.find((message) => message.messageId === messageId);
  };
  const missing = (messageId: number): TelexError =>
    new TelexError("not_found", { reason: "message_unknown", params: { messageId } });
  return {
    note: (messageId, groupId) => void groups.set(messageId, groupId),
    async find(holder, messageId) {
      const existing = groups.get(messageId);
      const noted = existing === undefined ? null : await rooms.find(existing);
      // A message in a room of others is missing like any other.
      const own = noted?.members.has(holder.userId) === true ? [noted] : [];
      const candidates = existing === undefined ? ownRooms(telex, rooms, holder) : own;
      for await (const room of candidates) {
        const view = await findIn(holder, room, messageId);
        if (view === undefined) continue;
        groups.set(messageId, room.groupId);
        return { room, view };
      }
      throw missing(messageId);
    },
  };
}
