import { createPace, nextTick } from "../../concurrency/tick.ts";
import type { Logger } from "../../log/log.ts";
import type { Clock } from "../../time/clock.ts";
import type { MessageRecord } from "../store.ts";
import type { SearchReader } from "./reader.ts";
import type { MessageSearchStore, MessageTerms } from "./store.ts";

/** What indexing needs. */
export interface IndexingDeps {
  readonly store: Pick<MessageSearchStore, "listUnindexed" | "index">;
  readonly search: Pick<SearchReader, "terms">;
  readonly clock: Pick<Clock, "after">;
  readonly log: Logger;
}

/** Gives messages their terms in the background. Until then a search reads them one by one. */
export interface Indexing {
  /** Begins with the messages that have no terms. */
  begin(): void;
  /** A message was stored. */
  stored(): void;
  end(): void;
}

/** Milliseconds after which it begins again if the storage has failed, such as one that was locked for long. */
const retryPause = 30_000;

/** After how many new messages it looks for messages without terms. */
const lookEvery = 64;

/** UTF-16 units of stored texts of which the terms are made in one tick. */
const textOfTick = 16_384;

async function withTerms(
  search: IndexingDeps["search"],
  messages: readonly MessageRecord[],
): Promise<readonly MessageTerms[]> {
  const made: MessageTerms[] = [];
  const pace = createPace(textOfTick);
  for (const message of messages) {
    const { groupId, seq, id, content } = message;
    await pace(content.length);
    made.push({ groupId, seq, id, terms: search.terms(message) });
  }
  return made;
}

/** What was done is in the store, so that a kill costs nothing. Several servers may index one store simultaneously. */
export function createIndexing({ store, search, clock, log }: IndexingDeps): Indexing {
  const ending = new AbortController();
  let cancel = (): void => {};
  let isBusy = false;
  let waiting = 0;

  const indexAll = async (): Promise<number> => {
    for (let indexed = 0; ; await nextTick()) {
      waiting = 0;
      const messages = ending.signal.aborted ? [] : await store.listUnindexed();
      if (messages.length === 0) return indexed;
      await store.index(await withTerms(search, messages));
      indexed += messages.length;
    }
  };

  const run = async (finished: (indexed: number) => void): Promise<void> => {
    isBusy = true;
    try {
      finished(await indexAll());
      isBusy = false;
    } catch (cause) {
      if (ending.signal.aborted) return;
      log.error("messages.indexing_failed", {}, cause);
      cancel = clock.after(retryPause, () => void run(finished));
    }
  };

  return {
    begin() {
      void run((messages) => {
        if (messages > 0) log.info("messages.indexed", { messages });
      });
    },
    stored() {
      waiting += 1;
      if (waiting >= lookEvery && !isBusy) void run(() => undefined);
    },
    end() {
      ending.abort();
      cancel();
    },
  };
}
