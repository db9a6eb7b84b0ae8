import type { MessageView } from "@telex/core";
import { isBy, isSameSender } from "../content/sender.ts";

/** A message with its position among its neighbours. */
export interface Row {
  readonly message: MessageView;
  /** The day that begins with this message (Unix milliseconds in the viewer's zone), or null. */
  readonly day: number | null;
  /** True if the row above has the same sender. Then the name is not repeated. */
  readonly follows: boolean;
  /** True for the first message that was unread when the room was opened. */
  readonly isFirstNew: boolean;
}

/** The pause after which the name is repeated, in milliseconds. */
const pause = 5 * 60_000;

const dayOf = (at: number): number => new Date(at).setHours(0, 0, 0, 0);

/** True for messages of people. Notices come from the server. */
const isWritten = ({ notice }: MessageView): boolean => notice === undefined;

const goesOn = (above: MessageView, message: MessageView): boolean =>
  isWritten(above) &&
  isSameSender(above, message) &&
  above.nickname === message.nickname &&
  message.createTime - above.createTime < pause;

function rowOf(message: MessageView, above: MessageView | undefined, isFirstNew: boolean): Row {
  const day = dayOf(message.createTime);
  const isNewDay = above === undefined || dayOf(above.createTime) !== day;
  const follows = above !== undefined && !isNewDay && !isFirstNew && goesOn(above, message);
  return { message, day: isNewDay ? day : null, follows, isFirstNew };
}

/** The messages of a room, and the state that their layout depends on. */
interface LaidOut {
  readonly messages: readonly MessageView[];
  /** True if there is no older message. */
  readonly isStart: boolean;
  /** The newest message that was read when the room was opened. */
  readonly readUpTo: number;
  /** The ID of the person. */
  readonly own: string;
}

/** Lays out messages. The line above the first unread message needs a read message above it, or the beginning of the room. */
export function layOut({ messages, isStart, readUpTo, own }: LaidOut): readonly Row[] {
  const isNew = (message: MessageView): boolean =>
    message.messageId > readUpTo && isWritten(message) && !isBy(message, own);
  const firstNew = messages.find(isNew);
  const isKnown = isStart || messages.some(({ messageId }) => messageId <= readUpTo);
  return messages.map((message, index) => rowOf(message, messages[index - 1], isKnown && message === firstNew));
}
