import { nextTick } from "../../concurrency/tick.ts";
import type { Logger } from "../../log/log.ts";
import type { Clock } from "../../time/clock.ts";
import type { SearchReader } from "./reader.ts";
import type { MessageSearchStore } from "./store.ts";

/** What indexing needs. */
interface IndexingDeps {
  readonly store: MessageSearchStore;
  readonly search: Pick<SearchReader, "terms">;
  readonly clock: Pick<Clock, "after">;
  readonly log: Logger;
}

/** Milliseconds after which it begins again if the storage has failed, such as one that was locked for long. */
const retryPause = 30_000;

/** Messages that are indexed in one tick. */
const together = 32;

/**
 * Gives messages their terms that have none, in the background: those of an earlier version, and those that were put as records.
 * What is done is kept, so that a kill costs nothing; two servers may do it simultaneously. Returns how to end it.
 */
export function startIndexing({ store, search, clock, log }: IndexingDeps): () => void {
  const ending = new AbortController();
  let cancel = (): void => {};
  const run = async (): Promise<void> => {
    let indexed = 0;
    while (!ending.signal.aborted) {
      const messages = await store.listUnindexed(together);
      if (messages.length === 0) break;
      await store.index(messages.map((message) => ({ ...message, terms: search.terms(message) })));
      indexed += messages.length;
      await nextTick();
    }
    if (indexed > 0) log.info("messages.indexed", { messages: indexed });
  };
  const begin = (): void => {
    run().catch((cause: unknown) => {
      if (ending.signal.aborted) return;
      log.error("messages.indexing_failed", {}, cause);
      cancel = clock.after(retryPause, begin);
    });
  };
  begin();
  return () => {
    ending.abort();
    cancel();
  };
}
