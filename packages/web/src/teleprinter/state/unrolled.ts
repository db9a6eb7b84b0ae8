import type { DeviceMessageView } from "@telex/core";
import { isOver, markDelivered, merge, type Texts } from "./message.ts";

/** The loaded texts of a device. */
export interface Unrolled {
  /** In ascending order of their IDs. */
  readonly texts: Texts;
  /** The number of texts that were prepended to the first page. */
  readonly before: number;
  /** True if there is no older text. */
  readonly isComplete: boolean;
  /** No text is missing up to this ID. Above it there may be gaps. */
  readonly completeUpTo: number;
}

/** A page of history from the server, newest first. */
export interface Page {
  readonly nextPageCursor: string | null;
  readonly messages: readonly DeviceMessageView[];
}

const newestOf = (texts: Texts): number => texts.at(-1)?.id ?? 0;

/** The newest page, with the texts that arrived during the fetch. Older texts arrive with their pages. */
export function begin({ messages, nextPageCursor }: Page, received: readonly DeviceMessageView[]): Unrolled {
  const newest = messages[0]?.id ?? 0;
  const newer = received.filter(({ id }) => id > newest);
  const texts = merge(merge([], messages), newer);
  return { texts, before: 0, isComplete: nextPageCursor === null, completeUpTo: newest };
}

/** Prepends the page before the text `cursor`. Does nothing if that is no longer the oldest text. */
export function putBefore(unrolled: Unrolled, cursor: number, { messages, nextPageCursor }: Page): Unrolled {
  if (unrolled.texts[0]?.id !== cursor) return unrolled;
  const texts = merge(unrolled.texts, messages);
  const before = unrolled.before + texts.length - unrolled.texts.length;
  return { ...unrolled, texts, before, isComplete: nextPageCursor === null };
}

/** Adds a new text. While events arrive, it follows the newest text. An old text arrives with its page. */
export function append(unrolled: Unrolled, message: DeviceMessageView, isLive: boolean): Unrolled {
  if (!unrolled.isComplete && message.id < (unrolled.texts[0]?.id ?? 0)) return unrolled;
  const texts = merge(unrolled.texts, [message]);
  return { ...unrolled, texts, completeUpTo: isLive ? newestOf(texts) : unrolled.completeUpTo };
}

/** Marks texts as delivered. */
export const deliver = (unrolled: Unrolled, ids: ReadonlySet<number>): Unrolled => ({
  ...unrolled,
  texts: markDelivered(unrolled.texts, ids),
});

/** The newest texts, fetched from the newest down. */
export interface Missed {
  readonly messages: readonly DeviceMessageView[];
  /** True if there are older texts. */
  readonly more: boolean;
}

/** Adds missed texts that reach the loaded ones. */
function extend(unrolled: Unrolled, { messages, more }: Missed): Unrolled {
  const texts = merge(unrolled.texts, messages);
  return { ...unrolled, texts, isComplete: unrolled.isComplete || !more, completeUpTo: newestOf(texts) };
}

/** A new roll of these texts, with the loaded texts after the oldest of them. */
function beginAgain(existing: Texts, messages: readonly DeviceMessageView[], oldest: number): Unrolled {
  const remaining = existing.filter(({ id }) => id >= oldest);
  const texts = merge(remaining, messages);
  return { texts, before: 0, isComplete: false, completeUpTo: newestOf(texts) };
}

/** Adds missed texts, so that there are no gaps. If they do not reach the loaded texts, the roll begins again with them, and the rest is loaded as history. */
export function takeMissed(unrolled: Unrolled, missed: Missed): Unrolled {
  const { messages, more } = missed;
  const oldest = messages.at(-1)?.id ?? 0;
  if (!more || oldest <= unrolled.completeUpTo) return extend(unrolled, missed);
  return beginAgain(unrolled.texts, messages, oldest);
}

/** The ID down to which texts must be fetched: the last one without a gap before it, or an older one that waits for the device. */
export function floorOf({ texts, completeUpTo }: Unrolled): number {
  const waiting = texts.find((text) => text.direction === "to_device" && text.delivered === 0 && !isOver(text));
  return Math.min(completeUpTo, waiting?.id ?? completeUpTo);
}
