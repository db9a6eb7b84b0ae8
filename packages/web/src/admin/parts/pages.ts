import { type ReadonlySignal, signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { createNewest } from "../../base/newest.ts";

/** A list that is fetched page by page. Owns the fetched entries. */
export interface Pages<T> {
  /** Null before the first page is there. */
  readonly items: ReadonlySignal<readonly T[] | null>;
  readonly hasMore: ReadonlySignal<boolean>;
  /** The error of the last page; null if it succeeded. */
  readonly failure: ReadonlySignal<unknown>;
  /** Fetches the first page, in place of all that is known. */
  readonly load: () => Promise<void>;
  /** Fetches the page behind the last item that is known. Does nothing while another page is being fetched. */
  readonly loadMore: () => Promise<void>;
}

type FetchPage<T> = (last: T | undefined) => Promise<readonly T[]>;

/**
 * Creates a list without items.
 * @param fetchPage fetches the page behind an item, or the first one
 * @param size items of a page; a shorter page is the last
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

/** Asks the server for the page behind a key, or for the first one. */
type List<T, K> = (page: { readonly limit: number; readonly after?: K }) => Promise<readonly T[]>;

/** A list of the server that comes in pages of this size, each behind the key of the last item. */
export const usePages = <T, K>(list: List<T, K>, size: number, keyOf: (item: T) => K): Pages<T> =>
  useMemo(
    () => createPages<T>((last) => list({ limit: size, ...(last !== undefined && { after: keyOf(last) }) }), size),
    [list, size],
  );
