/** The first place in a list, sorted by `keyOf`, whose key is `key` or greater; the length where there is none. */
export function placeOf<Entry>(list: readonly Entry[], keyOf: (entry: Entry) => number, key: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = list[middle];
    if (entry !== undefined && keyOf(entry) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The last entries of a list before the place `end`, at most `limit`, last one first. */
export const lastBefore = <Entry>(list: readonly Entry[], end: number, limit: number): Entry[] =>
  list.slice(Math.max(0, end - limit), end).toReversed();
