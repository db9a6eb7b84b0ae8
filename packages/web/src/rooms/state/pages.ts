/** A page of a list, and where the next one begins. */
interface Page<T> {
  readonly list: readonly T[];
  readonly nextCursor: string | null;
}

/** Fetches a page: the first one, or the one at a cursor. */
type FetchPage<T> = (at: { readonly cursor?: string }) => Promise<Page<T>>;

/** The first pages of a list, until there are `enough` items or all. `cursor` is where the next page begins. */
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
