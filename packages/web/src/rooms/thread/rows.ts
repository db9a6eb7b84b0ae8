import type { MessageView } from "@telex/core";
import { isBy, isSameSender } from "../content/sender.ts";

/** A message and how it stands among those around it. */
export interface Row {
  readonly message: MessageView;
  /** The day that begins with it (Unix milliseconds, in the viewer's zone), or null. */
  readonly day: number | null;
  /** True if the same person wrote the row before: the name is not written again. */
  readonly follows: boolean;
  /** The first one that was not read when the room was opened. */
  readonly isFirstNew: boolean;
}

/** Milliseconds after which the name is written again. */
const pause = 5 * 60_000;

const dayOf = (at: number): number => new Date(at).setHours(0, 0, 0, 0);

/** True for what somebody wrote; a notice comes from the service. */
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

/** The messages of a room, and what was read of them. */
interface LaidOut {
  readonly messages: readonly MessageView[];
  /** No message is older. */
  readonly isStart: boolean;
  /** The newest message that was read when the room was opened. */
  readonly readUpTo: number;
  /** The person's id. */
  readonly own: string;
}

/** Messages as they are laid out. The line at the first unread one needs what was read above it, or the beginning of the room. */
export function layOut({ messages, isStart, readUpTo, own }: LaidOut): readonly Row[] {
  const isNew = (message: MessageView): boolean =>
    message.messageId > readUpTo && isWritten(message) && !isBy(message, own);
  const firstNew = messages.find(isNew);
  const isKnown = isStart || messages.some(({ messageId }) => messageId <= readUpTo);
  return messages.map((message, index) => rowOf(message, messages[index - 1], isKnown && message === firstNew));
}
