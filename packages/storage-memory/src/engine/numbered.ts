import type { Counter } from "./counters.ts";
import { indexOfKey } from "./sorted.ts";

/** Entries by ids of a counter. */
export interface Numbered<Entry> {
  readonly find: (id: number) => Entry | null;
  /** Stores an entry under its id, and replaces the previous one. The counter does not assign the id again. */
  readonly put: (id: number, entry: Entry) => void;
  /** Removes an entry and returns it; null if it does not exist. */
  readonly drop: (id: number) => Entry | null;
  /** Entries with an id above `after`, by id, at most `limit`. */
  readonly list: (after: number, limit: number) => Entry[];
  readonly all: () => Iterable<Entry>;
}

const itself = (id: number): number => id;

export function createNumbered<Entry>(counter: Counter): Numbered<Entry> {
  const entries = new Map<number, Entry>();
  /** In ascending order. */
  const ids: number[] = [];

  const put = (id: number, entry: Entry): void => {
    if (!entries.has(id)) ids.splice(indexOfKey(ids, itself, id), 0, id);
    entries.set(id, entry);
    counter.raise(id);
  };
  return {
    find: (id) => entries.get(id) ?? null,
    put,
    drop(id) {
      const entry = entries.get(id) ?? null;
      if (entries.delete(id)) ids.splice(indexOfKey(ids, itself, id), 1);
      return entry;
    },
    list(after, limit) {
      const start = indexOfKey(ids, itself, after + 1);
      return ids.slice(start, start + limit).flatMap((id) => entries.get(id) ?? []);
    },
    all: () => entries.values(),
  };
}
