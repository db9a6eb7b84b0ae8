import type { DeviceMessageView } from "@telex/core";

/** A text on the paper: the message and where it stands in the viewer's calendar. */
export interface PrintedMessage extends DeviceMessageView {
  /** Unix milliseconds. */
  readonly at: number;
  /** The day in the viewer's zone, the same for all of one day. */
  readonly day: number;
}

const dayOf = (at: number): number => new Date(at).setHours(0, 0, 0, 0);

/** A message made ready for the paper. */
export function print(message: DeviceMessageView): PrintedMessage {
  const at = Date.parse(message.createdAt);
  return { ...message, at, day: dayOf(at) };
}

/** The texts of a device, ascending by id. */
export type Texts = readonly PrintedMessage[];

function place(texts: Texts, id: number): number {
  let low = 0;
  let high = texts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((texts[middle]?.id ?? id) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The same list where nothing is new. A message that was delivered stays delivered, in whatever order the news come. */
function mergeOne(texts: Texts, message: DeviceMessageView): Texts {
  const index = place(texts, message.id);
  const known = texts[index];
  if (known?.id !== message.id) return texts.toSpliced(index, 0, print(message));
  return known.delivered === 1 || message.delivered === 0 ? texts : texts.with(index, { ...known, delivered: 1 });
}

/** The list with messages taken in, in any order, none twice. */
export function merge(texts: Texts, messages: readonly DeviceMessageView[]): Texts {
  const known = new Set(texts.map(({ id }) => id));
  const added = messages.filter(
    ({ id }, index) => !known.has(id) && messages.findIndex((other) => other.id === id) === index,
  );
  const repeated = messages.filter(({ id }) => known.has(id));
  const [one] = added;
  const grown =
    added.length > 1
      ? [...texts, ...added.map(print)].toSorted((a, b) => a.id - b.id)
      : one === undefined
        ? texts
        : mergeOne(texts, one);
  return repeated.reduce(mergeOne, grown);
}

/** The list with some messages delivered. */
export const markDelivered = (texts: Texts, ids: readonly number[]): Texts =>
  ids.reduce((list, id) => {
    const index = place(list, id);
    const known = list[index];
    return known?.id !== id || known.delivered === 1 ? list : list.with(index, { ...known, delivered: 1 });
  }, texts);
