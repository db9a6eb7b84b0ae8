import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useTexts } from "../context.ts";
import { ErrorText } from "../ui/error-text.tsx";
import { LinkButton } from "../ui/link-button.tsx";
import type { Pages } from "./pages.ts";
import { useAdminTexts } from "./texts.ts";
import { failureText } from "./use-action.ts";

/** The heading of a list, with what can be done to all of it. */
export function ListHead({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <header class="list-head">
      <h2>{title}</h2>
      <div class="actions">{children}</div>
    </header>
  );
}

/** Why something could not be fetched, and how it is tried again. Nothing without a failure. */
export function Trouble({ failure, onAgain }: { readonly failure: unknown; readonly onAgain: () => void }) {
  const texts = useTexts();
  if (failure === null) return null;
  return (
    <div class="trouble">
      <ErrorText text={failureText(failure, texts)} />
      <LinkButton onClick={onAgain}>{texts.tryAgain}</LinkButton>
    </div>
  );
}

/** What is fetched when it is first looked at, and again with `load`. */
export function useFetched<T>(fetch: () => Promise<T>, wanted: readonly unknown[]) {
  const [value, setValue] = useState<T | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const newest = useRef(0);
  const load = async (): Promise<void> => {
    const own = (newest.current += 1);
    setFailure(null);
    try {
      const fetched = await fetch();
      // What was asked for later is newer, also if it was here sooner.
      if (own === newest.current) setValue(fetched);
    } catch (error) {
      if (own === newest.current) setFailure(error);
    }
  };
  useEffect(() => void load(), wanted);
  return { value, setValue, failure, load: () => void load() };
}

/** Rows that match, after which no more are looked for. */
const enough = 50;

/** The rows whose words contain what was typed. More are fetched until there are enough. */
function useMatching<T>(pages: Pages<T>, filter: string, wordsOf: (item: T) => string): readonly T[] | null {
  const wanted = filter.trim().toLowerCase();
  const items = pages.items.value;
  const found =
    items === null || wanted === "" ? items : items.filter((item) => wordsOf(item).toLowerCase().includes(wanted));
  const isShort = wanted !== "" && (found?.length ?? 0) < enough;
  const hasMore = pages.hasMore.value && pages.failure.value === null;
  useEffect(() => {
    if (isShort && hasMore) void pages.loadMore();
  }, [isShort, hasMore, items, pages]);
  return found;
}

/** What a list asks for. */
interface PagedListProps<T> {
  readonly pages: Pages<T>;
  /** In what a filter looks. Null: the list has no filter. */
  readonly wordsOf: ((item: T) => string) | null;
  /** False for items that are left out. Default: none is. */
  readonly isListed?: (item: T) => boolean;
  readonly label: string;
  readonly row: (item: T) => ComponentChildren;
  readonly keyOf: (item: T) => string | number;
}

function Filter({ value, onValue }: { readonly value: string; readonly onValue: (value: string) => void }) {
  const texts = useAdminTexts();
  return (
    <input
      type="search"
      class="filter"
      aria-label={texts.filter}
      placeholder={texts.filter}
      value={value}
      onInput={({ currentTarget }) => onValue(currentTarget.value)}
    />
  );
}

/** Below a list: that it is being fetched, that nothing is there, or the way to more. */
function ListEnd<T>({ pages, filter, count }: { pages: Pages<T>; filter: string; count: number | null }) {
  const texts = useAdminTexts();
  const isFiltered = filter.trim() !== "";
  if (pages.failure.value !== null) {
    const again = pages.items.value === null ? pages.load : pages.loadMore;
    return <Trouble failure={pages.failure.value} onAgain={() => void again()} />;
  }
  if (count === null) return <p class="quiet">{texts.loading}</p>;
  if (pages.hasMore.value && (!isFiltered || count >= enough)) {
    return <LinkButton onClick={() => void pages.loadMore()}>{texts.more}</LinkButton>;
  }
  if (count > 0) return null;
  return <p class="quiet">{isFiltered ? texts.noMatch(filter.trim()) : texts.none}</p>;
}

/** A list that comes in pages, with a filter. */
export function PagedList<T>({ pages, wordsOf, isListed, label, row, keyOf }: PagedListProps<T>) {
  const [filter, setFilter] = useState("");
  const matching = useMatching(pages, filter, wordsOf ?? (() => ""));
  const found = isListed === undefined ? matching : (matching?.filter(isListed) ?? null);
  useEffect(() => void pages.load(), [pages]);
  return (
    <>
      {wordsOf !== null && <Filter value={filter} onValue={setFilter} />}
      {found !== null && found.length > 0 && (
        <ul class="rows" aria-label={label}>
          {found.map((item) => (
            <li key={keyOf(item)}>{row(item)}</li>
          ))}
        </ul>
      )}
      <ListEnd pages={pages} filter={filter} count={found === null ? null : found.length} />
    </>
  );
}
