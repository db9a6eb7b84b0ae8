import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { type Problem, problemOf } from "../../server/problem.ts";
import type { Hit, RoomsApi } from "../content/api.ts";

/** The query, and the results so far. */
export interface Found {
  readonly q: string;
  /** The room to search, or null for all rooms. */
  readonly groupId: number | null;
  /** Newest first. */
  readonly hits: readonly Hit[];
  /** The cursor of the next page, or null after the last page. */
  readonly next: string | null;
  /** True while the server still indexes older messages. They can be found, but each call covers fewer messages. */
  readonly isIncomplete: boolean;
  readonly isSearching: boolean;
  readonly problem: Problem | null;
}

/** The search in rooms. Owns the typed text and the results. */
export interface Search {
  readonly typed: Signal<string>;
  /** The room to search, or null for all rooms. */
  readonly scope: Signal<number | null>;
  /** True if the search box should get the focus. */
  readonly isWanted: Signal<boolean>;
  /** Null if the rooms are listed instead. */
  readonly found: ReadonlySignal<Found | null>;
  readonly start: () => Promise<void>;
  /** Continues where the last call ended. */
  readonly more: () => Promise<void>;
  /** Removes a recalled message from the results. */
  readonly forget: (messageId: number) => void;
  readonly clear: () => void;
}

/** The number of results per step, and the maximum number of calls for them. The server limits the work of each call. */
const wanted = 20;
const mostCalls = 10;

type Page = Awaited<ReturnType<RoomsApi["messages"]["search"]>>;

const addPage = (found: Found, { list, nextCursor, incomplete }: Page): Found => ({
  ...found,
  hits: [...found.hits, ...list],
  next: nextCursor,
  isIncomplete: found.isIncomplete || incomplete,
});

const inputOf = ({ q, groupId, next }: Found) => ({
  q,
  pageSize: wanted,
  ...(groupId !== null && { groupId }),
  ...(next !== null && { cursor: next }),
});

/** Changes the results. Returns null if a later search has replaced this one. */
type Change = (how: (known: Found) => Found) => Found | null;

/** Fetches pages until there are enough new results, and shows the results of each page. Pages may be short or empty. */
async function fetchHits(api: Pick<RoomsApi["messages"], "search">, from: Found, change: Change): Promise<void> {
  let known: Found | null = from;
  for (let calls = 0; calls < mostCalls; calls += 1) {
    const page = await api.search(inputOf(known));
    known = change((before) => addPage(before, page));
    if (known === null) return;
    if (known.next === null || known.hits.length >= from.hits.length + wanted) break;
  }
  change((before) => ({ ...before, isSearching: false }));
}

/** Runs one search at a time: a new search cancels the earlier one. */
function createRun(api: Pick<RoomsApi["messages"], "search">, found: Signal<Found | null>) {
  let latest = 0;
  return async (from: Found): Promise<void> => {
    const run = (latest += 1);
    const change: Change = (how) => {
      const known = found.peek();
      if (run !== latest || known === null) return null;
      return (found.value = how(known));
    };
    found.value = { ...from, isSearching: true, problem: null };
    await fetchHits(api, from, change).catch((error: unknown) => {
      change((known) => ({ ...known, isSearching: false, problem: problemOf(error) }));
    });
  };
}

const beginning = (q: string, groupId: number | null): Found => ({
  q,
  groupId,
  hits: [],
  next: null,
  isIncomplete: false,
  isSearching: true,
  problem: null,
});

function createFinding(api: Pick<RoomsApi["messages"], "search">) {
  const found = signal<Found | null>(null);
  const run = createRun(api, found);
  const more = async (): Promise<void> => {
    const known = found.peek();
    if (known !== null && !known.isSearching) await run(known);
  };
  const forget = (messageId: number): void => {
    const known = found.peek();
    if (known === null) return;
    found.value = { ...known, hits: known.hits.filter(({ message }) => message.messageId !== messageId) };
  };
  return { found, run, more, forget };
}

export function createSearch(api: Pick<RoomsApi["messages"], "search">): Search {
  const [typed, scope, isWanted] = [signal(""), signal<number | null>(null), signal(false)];
  const { found, run, more, forget } = createFinding(api);
  const start = async (): Promise<void> => {
    const q = typed.peek().trim();
    if (q !== "") await run(beginning(q, scope.peek()));
  };
  const clear = (): void => {
    typed.value = "";
    found.value = null;
  };
  return { typed, scope, isWanted, found, start, more, forget, clear };
}
