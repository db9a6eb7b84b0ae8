/** The first index in a list, sorted by `keyOf`, whose key is `key` or greater; otherwise the length. */
export const placeOf = <Entry>(list: readonly Entry[], keyOf: (entry: Entry) => number, key: number): number =>
  placeWhere(list, (entry) => keyOf(entry) >= key);

/** The first place in a list from which on `isBehind` holds; the length where it never does. */
export function placeWhere<Entry>(list: readonly Entry[], isBehind: (entry: Entry) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = list[middle];
    if (entry !== undefined && !isBehind(entry)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The last entries of a list before the place `end`, at most `limit`, last one first. */
export const lastBefore = <Entry>(list: readonly Entry[], end: number, limit: number): Entry[] =>
  list.slice(Math.max(0, end - limit), end).toReversed();

/** Puts an entry into a list that is sorted by `keyOf`, in place of the one with the same key. */
export function putSorted<Entry>(list: Entry[], keyOf: (entry: Entry) => number, entry: Entry): void {
  const place = placeOf(list, keyOf, keyOf(entry));
  const before = list[place];
  list.splice(place, before !== undefined && keyOf(before) === keyOf(entry) ? 1 : 0, entry);
}
