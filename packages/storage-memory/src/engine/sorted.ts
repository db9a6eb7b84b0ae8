/** The first index in a list, sorted by `keyOf`, whose key is `key` or greater; otherwise the length. */
export const indexOfKey = <Entry>(list: readonly Entry[], keyOf: (entry: Entry) => number, key: number): number =>
  firstIndexWhere(list, (entry) => keyOf(entry) >= key);

/** The first index in a list from which `isBehind` is true; the length if it never is. */
export function firstIndexWhere<Entry>(list: readonly Entry[], isBehind: (entry: Entry) => boolean): number {
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

/** The last entries of a list before the index `end`, at most `limit`, the last one first. */
export const lastBefore = <Entry>(list: readonly Entry[], end: number, limit: number): Entry[] =>
  list.slice(Math.max(0, end - limit), end).toReversed();

/** Inserts an entry into a list that is sorted by `keyOf`, and replaces the one with the same key. */
export function putSorted<Entry>(list: Entry[], keyOf: (entry: Entry) => number, entry: Entry): void {
  const index = indexOfKey(list, keyOf, keyOf(entry));
  const before = list[index];
  list.splice(index, before !== undefined && keyOf(before) === keyOf(entry) ? 1 : 0, entry);
}
