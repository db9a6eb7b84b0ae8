import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Filter } from "../../ui/lists/filter.tsx";
import { LinkButton } from "../../ui/forms/link-button.tsx";
import { useKeptFocus } from "../../ui/lists/use-kept-focus.ts";
import { Trouble } from "./fetched.tsx";
import type { Pages } from "./pages.ts";
import { useAdminTexts } from "../texts/texts.ts";

/** The heading of a list, with the actions for the whole list. */
export const ListHead = ({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) => (
  <header class="list-head">
    <h2>{title}</h2>
    <div class="actions">{children}</div>
  </header>
);

/** The filter stops loading once this many rows match. */
const enough = 50;

/** The rows that match. If the filter excludes rows, more pages are loaded until there are enough matches. */
function useMatching<T>(pages: Pages<T>, matches: (item: T) => boolean): readonly T[] | null {
  const items = pages.items.value;
  const matching = items?.filter(matches) ?? null;
  const isShort = matching !== null && matching.length < Math.min(enough, items?.length ?? 0);
  const hasMore = pages.hasMore.value && pages.failure.value === null;
  useEffect(() => {
    if (isShort && hasMore) void pages.loadMore();
  }, [isShort, hasMore, items, pages]);
  return matching;
}

/** A list that is loaded page by page. */
interface PagedListProps<T> {
  readonly pages: Pages<T>;
  /** The text that the filter searches. Null if the list has no filter. */
  readonly wordsOf: ((item: T) => string) | null;
  /** False for items that are hidden. Default: all are shown. */
  readonly isListed?: (item: T) => boolean;
  readonly label: string;
  /** `items` for rows that are drawn as `ItemRow`. */
  readonly look?: "rows" | "items";
  /** Draws an `li` with a key. */
  readonly row: (item: T) => ComponentChildren;
}

/** The end of a list: that it is being loaded or is empty, or a button for the next page. */
function ListEnd<T>({ pages, filter, count }: { pages: Pages<T>; filter: string; count: number | null }) {
  const texts = useAdminTexts();
  const isFiltered = filter.trim() !== "";
  if (pages.failure.value !== null) {
    const again = pages.items.value === null ? pages.load : pages.loadMore;
    return <Trouble failure={pages.failure.value} onAgain={() => void again()} />;
  }
  if (count === null) return <p class="quiet">{texts.loading}</p>;
  if (pages.hasMore.value && (!isFiltered || count >= enough))
    return <LinkButton onClick={() => void pages.loadMore()}>{texts.more}</LinkButton>;
  if (count > 0) return null;
  return <p class="quiet">{isFiltered ? texts.noMatch(filter.trim()) : texts.none}</p>;
}

/** A list that is loaded in pages, with a filter. */
export function PagedList<T>({ pages, wordsOf, isListed = () => true, label, look = "rows", row }: PagedListProps<T>) {
  const texts = useAdminTexts();
  const [filter, setFilter] = useState("");
  const wanted = filter.trim().toLowerCase();
  const hasWords = (item: T): boolean => wanted === "" || wordsOf?.(item).toLowerCase().includes(wanted) === true;
  const matching = useMatching(pages, (item) => isListed(item) && hasWords(item));
  const focus = useKeptFocus();
  useEffect(() => void pages.load(), [pages]);
  return (
    <>
      {wordsOf !== null && <Filter label={texts.filter} value={filter} onValue={setFilter} />}
      <ul {...focus} class={look} aria-label={label}>
        {matching?.map(row)}
      </ul>
      <ListEnd pages={pages} filter={filter} count={matching?.length ?? null} />
    </>
  );
}
