import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { createNewest } from "../../base/newest.ts";
import { type Problem, problemOf } from "../../server/problem.ts";
import type { Server } from "../../server/server.ts";

type Api = Pick<Server["ai"], "searchConversations">;
type Page = Awaited<ReturnType<Api["searchConversations"]>>;

export type FoundMessage = Page["list"][number];

/** The search results so far. */
export interface FoundMessages {
  readonly q: string;
  readonly hits: readonly FoundMessage[];
  /** The cursor of the next page, or null after the last page. */
  readonly next: string | null;
  readonly isSearching: boolean;
  readonly problem: Problem | null;
}

/** The number of results per step, and the maximum number of calls for them. The server limits the work of each call. */
const wanted = 20;
const mostCalls = 8;

/** Fetches pages until there are enough new results. Pages may be short or empty. */
async function fetchHits(
  api: Api,
  { q, hits, next: from }: FoundMessages,
): Promise<Pick<FoundMessages, "hits" | "next">> {
  const messages = [...hits];
  let next = from;
  for (let calls = 0; calls < mostCalls && messages.length < hits.length + wanted; calls += 1) {
    const page = await api.searchConversations({ q, pageSize: wanted, ...(next !== null && { cursor: next }) });
    messages.push(...page.list);
    next = page.nextCursor;
    if (next === null) break;
  }
  return { hits: messages, next };
}

/** A search in questions and answers. A new search cancels the earlier one. */
export interface MessageSearch {
  readonly found: ReadonlySignal<FoundMessages>;
  readonly start: (q: string) => void;
  /** Continues where the last call ended. */
  readonly more: () => void;
}

const nothing: FoundMessages = { q: "", hits: [], next: null, isSearching: false, problem: null };

/** Runs one search at a time. */
function createRun(api: Api, results: Signal<FoundMessages>) {
  const ifNewest = createNewest();
  return (from: FoundMessages): void => {
    const end = (change: Partial<FoundMessages>): void => void (results.value = { ...from, problem: null, ...change });
    results.value = { ...from, isSearching: true, problem: null };
    void ifNewest(
      () => fetchHits(api, from),
      end,
      (error) => end({ problem: problemOf(error) }),
    );
  };
}

export function createMessageSearch(api: Api): MessageSearch {
  const results = signal(nothing);
  const run = createRun(api, results);
  return { found: results, start: (q) => run({ ...nothing, q }), more: () => run(results.peek()) };
}
