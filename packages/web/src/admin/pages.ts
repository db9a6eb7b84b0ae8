import { type ReadonlySignal, signal } from "@preact/signals";

/** A list that comes in pages. Owns what is known of it. */
export interface Pages<T> {
  /** Null before the first page is there. */
  readonly items: ReadonlySignal<readonly T[] | null>;
  readonly hasMore: ReadonlySignal<boolean>;
  /** What the last page failed with; null if it did not. */
  readonly failure: ReadonlySignal<unknown>;
  /** Fetches the first page, in place of all that is known. */
  readonly load: () => Promise<void>;
  /** Fetches the page behind the last item that is known. Does nothing while another page is being fetched. */
  readonly loadMore: () => Promise<void>;
}

/**
 * Nothing is known yet.
 * @param fetchPage the page behind an item, or the first one
 * @param size how many items a page has: one with fewer is the last
 */
export function createPages<T>(fetchPage: (last: T | undefined) => Promise<readonly T[]>, size: number): Pages<T> {
  const items = signal<readonly T[] | null>(null);
  const hasMore = signal(false);
  const failure = signal<unknown>(null);
  let newest = 0;
  let isBusy = false;
  const fetchInto = async (known: readonly T[]): Promise<void> => {
    const number = (newest += 1);
    isBusy = true;
    failure.value = null;
    try {
      const page = await fetchPage(known.at(-1));
      if (number !== newest) return;
      items.value = [...known, ...page];
      hasMore.value = page.length >= size;
    } catch (error) {
      if (number === newest) failure.value = error;
    }
    if (number === newest) isBusy = false;
  };
  return {
    items,
    hasMore,
    failure,
    load: () => fetchInto([]),
    async loadMore() {
      if (!isBusy) await fetchInto(items.peek() ?? []);
    },
  };
}
