import type { MessageView } from "@telex/core";
import type { RoomView } from "../content/api.ts";
import { recalledContent } from "../content/content.ts";

/** How far the person has read a room. */
export type Marker = Pick<RoomView, "readUpTo" | "unread">;

/** No count goes further. */
const mostUnread = 1000;

const activityOf = ({ lastMessage }: RoomView): number => lastMessage?.messageId ?? 0;

/** A room whose picture has just changed: at an address that the browser has not kept. */
export const withNewPicture = (room: RoomView): RoomView => ({ ...room, avatar: `${room.avatar}&at=${Date.now()}` });

/** The room as it is now, with the address of the picture that is shown already. */
export function withKeptPicture(room: RoomView, existing: RoomView | undefined): RoomView {
  const isKept = existing?.avatar.startsWith(`${room.avatar}&at=`) === true;
  return isKept ? { ...room, avatar: existing.avatar } : room;
}

/** The unread messages that are for the person in particular: in a private chat all of them. */
export const mentionsIn = ({ groupType, unread, mentions }: RoomView): number => (groupType === 2 ? unread : mentions);

export const byActivity = (a: RoomView, b: RoomView): number => activityOf(b) - activityOf(a) || a.groupId - b.groupId;

/** A room with a message that was just told. One's own messages are read, notices are never unread, and a marker may come before its message. */
export function withMessage(room: RoomView, message: MessageView, isOwn: boolean): RoomView {
  if (message.messageId <= activityOf(room)) return room;
  if (isOwn) return { ...room, lastMessage: message, unread: 0, mentions: 0, readUpTo: String(message.messageId) };
  const isRead = message.notice !== undefined || message.messageId <= Number(room.readUpTo);
  return { ...room, lastMessage: message, unread: isRead ? room.unread : Math.min(mostUnread, room.unread + 1) };
}

export const isForward = (room: RoomView, { readUpTo }: Marker): boolean => Number(readUpTo) > Number(room.readUpTo);

/** True if the room has a message that the marker may count, or may not: it says nothing of when it counted. */
export const isUncertain = (room: RoomView, { readUpTo }: Marker): boolean => activityOf(room) > Number(readUpTo);

/** A marker only moves forward, in whatever order the news come. It may count messages that are not known here: they come later. */
export function withMarker(room: RoomView, marker: Marker): RoomView {
  if (!isForward(room, marker)) return room;
  return isUncertain(room, marker)
    ? { ...room, readUpTo: marker.readUpTo, unread: marker.unread }
    : { ...room, readUpTo: marker.readUpTo, unread: 0, mentions: 0 };
}

/** A message that was recalled says nothing any more. */
export const withoutWords = (room: RoomView, messageId: number): RoomView =>
  room.lastMessage?.messageId === messageId
    ? { ...room, lastMessage: { ...room.lastMessage, type: 0, content: recalledContent } }
    : room;

/** The last message with its new words, if it is the one that was edited. */
export const withWords = (room: RoomView, message: MessageView): RoomView =>
  room.lastMessage?.messageId === message.messageId ? { ...room, lastMessage: message } : room;
