import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { createNewest } from "../../base/newest.ts";
import { type Problem, problemOf } from "../../server/problem.ts";
import type { Server } from "../../server/server.ts";

type Api = Pick<Server["ai"], "searchConversations">;
type Page = Awaited<ReturnType<Api["searchConversations"]>>;

/** A message that was found. */
export type FoundMessage = Page["list"][number];

/** The messages that were found so far. */
export interface FoundMessages {
  readonly q: string;
  readonly hits: readonly FoundMessage[];
  /** The position of the next page; null after the last page. */
  readonly next: string | null;
  readonly isSearching: boolean;
  readonly problem: Problem | null;
}

/** Messages that are wanted at a time, and calls that are made for them. The server bounds the work of each call. */
const wanted = 20;
const mostCalls = 8;

/** Fetches pages until there are enough new hits. Pages may be short or empty. */
async function fetchHits(
  api: Api,
  { q, hits, next: from }: FoundMessages,
): Promise<Pick<FoundMessages, "hits" | "next">> {
  const found = [...hits];
  let next = from;
  for (let calls = 0; calls < mostCalls && found.length < hits.length + wanted; calls += 1) {
    const page = await api.searchConversations({ q, pageSize: wanted, ...(next !== null && { cursor: next }) });
    found.push(...page.list);
    next = page.nextCursor;
    if (next === null) break;
  }
  return { hits: found, next };
}

/** A search for the words in questions and answers. A later one ends the one before. */
export interface MessageSearch {
  readonly found: ReadonlySignal<FoundMessages>;
  readonly start: (q: string) => void;
  /** Goes on where the last call ended. */
  readonly more: () => void;
}

const nothing: FoundMessages = { q: "", hits: [], next: null, isSearching: false, problem: null };

/** Runs one search at a time. */
function createRun(api: Api, found: Signal<FoundMessages>) {
  const ifNewest = createNewest();
  return (from: FoundMessages): void => {
    const end = (change: Partial<FoundMessages>): void => void (found.value = { ...from, problem: null, ...change });
    found.value = { ...from, isSearching: true, problem: null };
    void ifNewest(
      () => fetchHits(api, from),
      end,
      (error) => end({ problem: problemOf(error) }),
    );
  };
}

export function createMessageSearch(api: Api): MessageSearch {
  const found = signal(nothing);
  const run = createRun(api, found);
  return { found, start: (q) => run({ ...nothing, q }), more: () => run(found.peek()) };
}
