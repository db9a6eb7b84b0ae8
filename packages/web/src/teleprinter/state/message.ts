import type { DeviceMessageView } from "@telex/core";

/** A text on the paper, with its time and day in the viewer's zone. */
export interface PrintedMessage extends DeviceMessageView {
  /** Unix milliseconds. */
  readonly at: number;
  /** The beginning of its day in the viewer's zone. */
  readonly day: number;
}

const dayOf = (at: number): number => new Date(at).setHours(0, 0, 0, 0);

/** Prepares a message for the paper. */
export function print(message: DeviceMessageView): PrintedMessage {
  const at = Date.parse(message.createdAt);
  return { ...message, at, day: dayOf(at) };
}

/** The texts of a device, in ascending order of their IDs. */
export type Texts = readonly PrintedMessage[];

function insertionIndex(texts: Texts, id: number): number {
  let low = 0;
  let high = texts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((texts[middle]?.id ?? id) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

type Outcome = Pick<DeviceMessageView, "delivered" | "state">;

/** True if the device will not receive the text any more, because it expired or the device gave up on it. */
export const isOver = ({ delivered, state }: Outcome): boolean =>
  delivered === 0 && (state === "expired" || state === "failed");

/** A delivered message stays delivered, and an expired or failed message stays so, in whatever order events arrive. */
function settle(existing: PrintedMessage, { delivered, state }: Outcome): PrintedMessage {
  if (existing.delivered === 1 || (delivered === 0 && (isOver(existing) || existing.state === state))) return existing;
  return { ...existing, delivered, ...(state !== undefined && { state }) };
}

function mergeOne(texts: Texts, message: DeviceMessageView): Texts {
  const index = insertionIndex(texts, message.id);
  const existing = texts[index];
  return existing?.id === message.id
    ? texts.with(index, settle(existing, message))
    : texts.toSpliced(index, 0, print(message));
}

const takeIn = (existing: PrintedMessage | undefined, message: DeviceMessageView): PrintedMessage =>
  existing === undefined ? print(message) : settle(existing, message);

function mergeAll(texts: Texts, messages: readonly DeviceMessageView[]): Texts {
  const all = new Map(texts.map((message) => [message.id, message]));
  for (const message of messages) all.set(message.id, takeIn(all.get(message.id), message));
  return [...all.values()].toSorted((a, b) => a.id - b.id);
}

/** Merges messages in any order into the texts, without duplicates. */
export function merge(texts: Texts, messages: readonly DeviceMessageView[]): Texts {
  const [first, ...others] = messages;
  if (first === undefined) return texts;
  return others.length === 0 ? mergeOne(texts, first) : mergeAll(texts, messages);
}

/** Marks texts as delivered. */
export const markDelivered = (texts: Texts, ids: ReadonlySet<number>): Texts =>
  texts.map((message) => (ids.has(message.id) ? settle(message, { delivered: 1 }) : message));
