import type { MessageView } from "@telex/core";
import { isBy, isSameSender } from "./content/sender.ts";

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

const goesOn = (above: MessageView, message: MessageView): boolean =>
  isSameSender(above, message) && above.nickname === message.nickname && message.createTime - above.createTime < pause;

function rowOf(message: MessageView, above: MessageView | undefined, isFirstNew: boolean): Row {
  const day = dayOf(message.createTime);
  const isNewDay = above === undefined || dayOf(above.createTime) !== day;
  const follows = above !== undefined && !isNewDay && !isFirstNew && goesOn(above, message);
  return { message, day: isNewDay ? day : null, follows, isFirstNew };
}

/**
 * Messages as they are laid out.
 * @param readUpTo the newest message that was read when the room was opened
 */
export function layOut(messages: readonly MessageView[], readUpTo: number, own: string): readonly Row[] {
  const firstNew = messages.find((message) => message.messageId > readUpTo && !isBy(message, own));
  const hasRead = messages.some(({ messageId }) => messageId <= readUpTo);
  return messages.map((message, index) => rowOf(message, messages[index - 1], hasRead && message === firstNew));
}
