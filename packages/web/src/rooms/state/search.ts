import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { type Problem, problemOf } from "../../server/problem.ts";
import type { Hit, RoomsApi } from "../content/api.ts";

/** The query, and the matches so far. */
export interface Found {
  readonly q: string;
  /** The room that is searched; null for all. */
  readonly groupId: number | null;
  /** Newest first. */
  readonly hits: readonly Hit[];
  /** The position of the next page; null after the last page. */
  readonly next: string | null;
  /** The server still prepares older messages: everything is found, but each call covers less. */
  readonly isIncomplete: boolean;
  readonly isSearching: boolean;
  readonly problem: Problem | null;
}

/** The search of the rooms. Owns the typed words and the results. */
export interface Search {
  readonly typed: Signal<string>;
  /** The room to search; null for all. */
  readonly scope: Signal<number | null>;
  /** True when the box is to take the focus. */
  readonly isWanted: Signal<boolean>;
  /** Null while the rooms are listed instead. */
  readonly found: ReadonlySignal<Found | null>;
  /** Searches for the typed words. */
  readonly start: () => Promise<void>;
  /** Goes on where the last call ended. */
  readonly more: () => Promise<void>;
  /** Removes a recalled message from the results. */
  readonly forget: (messageId: number) => void;
  readonly clear: () => void;
}

/** Hits that are wanted at a time, and calls that are made for them. The server bounds the work of each call. */
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

/** Changes the results. Returns null if a later search has ended this one. */
type Change = (how: (known: Found) => Found) => Found | null;

/** Fetches pages until there are enough new hits, and shows the hits of each page. Pages may be short or empty. */
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

/** Runs one search at a time: a later one ends the one before. */
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

/** A search that begins. */
const beginning = (q: string, groupId: number | null): Found => ({
  q,
  groupId,
  hits: [],
  next: null,
  isIncomplete: false,
  isSearching: true,
  problem: null,
});

/** Finds messages, and more of them. */
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
