/** A page of a list, with the cursor of the next page. */
interface Page<T> {
  readonly list: readonly T[];
  readonly nextCursor: string | null;
}

/** Fetches the first page, or the page at a cursor. */
type FetchPage<T> = (at: { readonly cursor?: string }) => Promise<Page<T>>;

/** Fetches pages until there are `enough` items, or all. `cursor` is the position of the next page. */
export async function fetchPages<T>(fetchPage: FetchPage<T>, enough: number) {
  const list: T[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<T> = await fetchPage(cursor === null ? {} : { cursor });
    list.push(...page.list);
    cursor = page.nextCursor;
  } while (cursor !== null && list.length < enough);
  return { list, cursor };
}
