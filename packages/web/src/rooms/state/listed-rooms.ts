import type { MessageView } from "@telex/core";
import type { RoomView } from "../content/api.ts";
import { recalledContent } from "../content/content.ts";

/** How far the person has read a room. */
export type Marker = Pick<RoomView, "readUpTo" | "unread">;

/** The maximum unread count. */
const mostUnread = 1000;

const activityOf = ({ lastMessage }: RoomView): number => lastMessage?.messageId ?? 0;

/** The room with a new avatar URL, because the browser has cached the picture at the old one. */
export const withNewPicture = (room: RoomView): RoomView => ({ ...room, avatar: `${room.avatar}&at=${Date.now()}` });

/** The room as the server describes it, with the avatar URL that is already shown. */
export function withKeptPicture(room: RoomView, existing: RoomView | undefined): RoomView {
  const isKept = existing?.avatar.startsWith(`${room.avatar}&at=`) === true;
  return isKept ? { ...room, avatar: existing.avatar } : room;
}

/** The number of unread mentions. In a private chat, all messages count. */
export const mentionsIn = ({ groupType, unread, mentions }: RoomView): number => (groupType === 2 ? unread : mentions);

export const byActivity = (a: RoomView, b: RoomView): number => activityOf(b) - activityOf(a) || a.groupId - b.groupId;

/** Adds a new message to a room. Own messages are read, notices are never unread, and a marker may arrive before its message. */
export function withMessage(room: RoomView, message: MessageView, isOwn: boolean): RoomView {
  if (message.messageId <= activityOf(room)) return room;
  if (isOwn) return { ...room, lastMessage: message, unread: 0, mentions: 0, readUpTo: String(message.messageId) };
  const isRead = message.notice !== undefined || message.messageId <= Number(room.readUpTo);
  return { ...room, lastMessage: message, unread: isRead ? room.unread : Math.min(mostUnread, room.unread + 1) };
}

export const isForward = (room: RoomView, { readUpTo }: Marker): boolean => Number(readUpTo) > Number(room.readUpTo);

/** True if the room has a message after the marker. Then its count may or may not include that message. */
export const isUncertain = (room: RoomView, { readUpTo }: Marker): boolean => activityOf(room) > Number(readUpTo);

/** Moves the marker forward, never back, in whatever order markers arrive. Its count may include messages that have not arrived yet. */
export function withMarker(room: RoomView, marker: Marker): RoomView {
  if (!isForward(room, marker)) return room;
  return isUncertain(room, marker)
    ? { ...room, readUpTo: marker.readUpTo, unread: marker.unread }
    : { ...room, readUpTo: marker.readUpTo, unread: 0, mentions: 0 };
}

/** Replaces the content of a recalled message. */
export const withoutWords = (room: RoomView, messageId: number): RoomView =>
  room.lastMessage?.messageId === messageId
    ? { ...room, lastMessage: { ...room.lastMessage, type: 0, content: recalledContent } }
    : room;

/** Replaces the last message if it is the edited one. */
export const withWords = (room: RoomView, message: MessageView): RoomView =>
  room.lastMessage?.messageId === message.messageId ? { ...room, lastMessage: message } : room;
