import { type ReadonlySignal, signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { createNewest } from "../../base/newest.ts";

/** A list that is loaded page by page. Owns the loaded items. */
export interface Pages<T> {
  /** Null until the first page is loaded. */
  readonly items: ReadonlySignal<readonly T[] | null>;
  readonly hasMore: ReadonlySignal<boolean>;
  /** The error of the last load. Null if it succeeded. */
  readonly failure: ReadonlySignal<unknown>;
  /** Loads the first page, which replaces the list. */
  readonly load: () => Promise<void>;
  /** Loads the page after the last item. Does nothing while a page is being loaded. */
  readonly loadMore: () => Promise<void>;
}

type FetchPage<T> = (last: T | undefined) => Promise<readonly T[]>;

/**
 * @param fetchPage fetches the page after an item, or the first page
 * @param size items per page; a shorter page is the last
 */
function createPages<T>(fetchPage: FetchPage<T>, size: number): Pages<T> {
  const [items, hasMore, failure] = [signal<readonly T[] | null>(null), signal(false), signal<unknown>(null)];
  const isBusy = signal(false);
  const ifNewest = createNewest();
  const fetchBehind = async (existing: readonly T[]): Promise<void> => {
    [isBusy.value, failure.value] = [true, null];
    const take = (page: readonly T[]): void => {
      [isBusy.value, items.value, hasMore.value] = [false, [...existing, ...page], page.length >= size];
    };
    const fail = (error: unknown): void => {
      [isBusy.value, failure.value] = [false, error];
    };
    await ifNewest(() => fetchPage(existing.at(-1)), take, fail);
  };
  const loadMore = async (): Promise<void> => (isBusy.peek() ? undefined : await fetchBehind(items.peek() ?? []));
  return { items, hasMore, failure, load: () => fetchBehind([]), loadMore };
}

/** Fetches the page after a key, or the first page. */
type List<T, K> = (page: { readonly limit: number; readonly after?: K }) => Promise<readonly T[]>;

/** A list of the server in pages of this size. Each page begins after the key of the last item. */
export const usePages = <T, K>(list: List<T, K>, size: number, keyOf: (item: T) => K): Pages<T> =>
  useMemo(
    () => createPages<T>((last) => list({ limit: size, ...(last !== undefined && { after: keyOf(last) }) }), size),
    [list, size],
  );
