import type { DeviceMessageView } from "@telex/core";
import { markDelivered, merge, type Texts } from "./message.ts";

/** What is unrolled of the paper of a device. */
export interface Unrolled {
  /** Ascending by id. */
  readonly texts: Texts;
  /** How many of them were put before those that were there first. */
  readonly before: number;
  /** True when there is nothing older. */
  readonly whole: boolean;
  /** From the oldest text up to this id nothing is missing; what is known above it may have holes. */
  readonly sure: number;
}

/** A page of history as the server gives it: newest first. */
export interface Page {
  readonly nextPageCursor: string | null;
  readonly messages: readonly DeviceMessageView[];
}

const newestOf = (texts: Texts): number => texts.at(-1)?.id ?? 0;

/** The newest page, with what was told while it was fetched; what is older comes with its page. */
export function begin({ messages, nextPageCursor }: Page, told: readonly DeviceMessageView[]): Unrolled {
  const newest = messages[0]?.id ?? 0;
  const newer = told.filter(({ id }) => id > newest);
  const texts = merge(merge([], messages), newer);
  return { texts, before: 0, whole: nextPageCursor === null, sure: newest };
}

/** The next older page put before the text with the id `cursor`; nothing where that is not the oldest any more. */
export function putBefore(unrolled: Unrolled, cursor: number, { messages, nextPageCursor }: Page): Unrolled {
  if (unrolled.texts[0]?.id !== cursor) return unrolled;
  const texts = merge(unrolled.texts, messages);
  const before = unrolled.before + texts.length - unrolled.texts.length;
  return { ...unrolled, texts, before, whole: nextPageCursor === null };
}

/** A text that was just told of. While everything is told, it follows on what is known; an old one comes with its page. */
export function append(unrolled: Unrolled, message: DeviceMessageView, isLive: boolean): Unrolled {
  if (!unrolled.whole && message.id < (unrolled.texts[0]?.id ?? 0)) return unrolled;
  const texts = merge(unrolled.texts, [message]);
  return { ...unrolled, texts, sure: isLive ? newestOf(texts) : unrolled.sure };
}

/** Texts that reached the device. */
export const deliver = (unrolled: Unrolled, ids: ReadonlySet<number>): Unrolled => ({
  ...unrolled,
  texts: markDelivered(unrolled.texts, ids),
});

/** What was fetched from the newest text downwards. */
export interface Missed {
  readonly messages: readonly DeviceMessageView[];
  /** True when there are older ones. */
  readonly more: boolean;
}

/** The roll with texts that reach down to what is known. */
function extend(unrolled: Unrolled, { messages, more }: Missed): Unrolled {
  const texts = merge(unrolled.texts, messages);
  return { ...unrolled, texts, whole: unrolled.whole || !more, sure: newestOf(texts) };
}

/** A roll that begins with these texts, and with those that are known above the oldest of them. */
function beginAgain(known: Texts, messages: readonly DeviceMessageView[], oldest: number): Unrolled {
  const kept = known.filter(({ id }) => id >= oldest);
  const texts = merge(kept, messages);
  return { texts, before: 0, whole: false, sure: newestOf(texts) };
}

/**
 * What was missed, taken in: from then on nothing is missing. Where the newest texts do not reach down to what is known,
 * the roll begins again with them, and the rest comes back as history.
 */
export function takeMissed(unrolled: Unrolled, missed: Missed): Unrolled {
  const { messages, more } = missed;
  const oldest = messages.at(-1)?.id ?? 0;
  if (!more || oldest <= unrolled.sure) return extend(unrolled, missed);
  return beginAgain(unrolled.texts, messages, oldest);
}

/** The id down to which must be fetched to know everything: the surest text, or an older one that waits for the device. */
export function floorOf({ texts, sure }: Unrolled): number {
  const waiting = texts.find(({ direction, delivered }) => direction === "to_device" && delivered === 0);
  return Math.min(sure, waiting?.id ?? sure);
}
