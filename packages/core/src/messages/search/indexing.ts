import type { Leases } from "@telex/ground/leases";
import type { MessageStore } from "../store.ts";
import type { MessageRecord } from "../../records/messages.ts";
import type { SearchReader } from "@telex/search-terms";
import { nextTick } from "@telex/ground/concurrency";
import type { Logger } from "@telex/ground/log";
import type { Clock } from "@telex/ground/time";
import type { MessagePosition, MessageTerms } from "./store.ts";

interface IndexingDeps {
  readonly store: Pick<MessageStore, "listUnindexed" | "index" | "findMessage">;
  readonly search: Pick<SearchReader, "terms">;
  readonly clock: Pick<Clock, "after">;
  readonly log: Logger;
  readonly leases: Leases | null;
}

/** Gives messages their terms in the background. Until then a search reads them one by one. */
export interface Indexing {
  begin(): void;
  stored(message: MessageRecord): void;
  end(): void;
}

/** Milliseconds after which it begins again if the storage has failed, such as one that was locked for long. */
const retryPause = 30_000;

/** After how many new messages it looks for messages without terms. */
const lookEvery = 128;

/** Messages that are kept until they have their terms. Others are read again. */
const mostKept = 512;

/** Milliseconds in which terms are made in one tick: a fifth of a millisecond for all, but fifty where V8 has compiled nothing yet. */
const workOfTick = 2;

/** Ends the tick if it has worked longer than `workOfTick`. */
function createRests(): () => Promise<void> | undefined {
  let begun = performance.now();
  const rest = async (): Promise<void> => {
    await nextTick();
    begun = performance.now();
  };
  return () => (performance.now() - begun > workOfTick ? rest() : undefined);
}

const isWhole = (place: MessagePosition | MessageRecord): place is MessageRecord => "content" in place;

async function withTerms(
  { store, search }: IndexingDeps,
  places: readonly (MessagePosition | MessageRecord)[],
  records: ReadonlyMap<number, MessageRecord>,
): Promise<readonly MessageTerms[]> {
  const made: MessageTerms[] = [];
  const rest = createRests();
  for (const place of places) {
    const { groupId, seq, id } = place;
    const message = isWhole(place) ? place : (records.get(id) ?? (await store.findMessage(groupId, id)));
    await rest();
    made.push({ groupId, seq, id, terms: message === null ? [] : search.terms(message) });
  }
  return made;
}

type Kept = Map<number, MessageRecord>;

/** A new map: one from which messages are deleted keeps them all from the collection of young garbage. */
function without(records: Kept, places: readonly MessagePosition[]): Kept {
  const done = new Set(places.map(({ id }) => id));
  return new Map(records.entries().filter(([id]) => !done.has(id)));
}

class Recent {
  count = 0;
  #first = Number.POSITIVE_INFINITY;

  add({ id }: MessagePosition): void {
    this.count += 1;
    this.#first = Math.min(this.#first, id);
  }

  clear(): void {
    this.count = 0;
    this.#first = Number.POSITIVE_INFINITY;
  }

  /** True if all of these messages were stored since then. */
  isAllOf(places: readonly MessagePosition[]): boolean {
    return places.every(({ id }) => id >= this.#first);
  }
}

const leaseName = "indexing";

/**
 * Progress is in the store, so that a kill costs nothing. Of several servers one indexes at a time, also the messages that others stored,
 * so that each message is indexed once.
 */
export function createIndexing(deps: IndexingDeps): Indexing {
  const { store, clock, log, leases } = deps;
  let records: Kept = new Map();
  const ending = new AbortController();
  let cancel = (): void => {};
  let state: "idle" | "waiting" | "working" = "idle";
  const recent = new Recent();
  let isFirst = true;

  /** New messages are left for the next time, when there are more of them: a few messages cost a store nearly as much as many. */
  const indexAll = async (): Promise<number> => {
    recent.clear();
    for (let indexed = 0; ; await nextTick()) {
      const places = ending.signal.aborted ? [] : await store.listUnindexed();
      if (recent.count >= lookEvery) recent.clear();
      if (recent.isAllOf(places)) return indexed;
      await store.index(await withTerms(deps, places, records));
      records = without(records, places);
      indexed += places.length;
    }
  };

  const tryAll = async (): Promise<boolean> => {
    try {
      const messages = await indexAll();
      if (isFirst && messages > 0) log.info("messages.indexed", { messages });
      isFirst = false;
      return true;
    } catch (cause) {
      if (!ending.signal.aborted) log.error("messages.indexing_failed", {}, cause);
      return false;
    }
  };

  const run = async (): Promise<void> => {
    if (state === "working") return;
    state = "working";
    const isDone = await tryAll();
    // Until it is let go of, it cannot be taken again.
    await lease?.release();
    if (isDone) state = "idle";
    else if (!ending.signal.aborted) cancel = clock.after(retryPause, start);
  };

  // A server that has lost the lease continues: two servers only do the same work twice.
  const lease = leases?.open(leaseName, { held: () => void run(), lost: () => {} }) ?? null;

  const start = (): void => {
    state = "waiting";
    if (lease === null) void run();
    else lease.keep();
  };

  return {
    begin: start,
    stored(message) {
      records.set(message.id, message);
      if (records.size > mostKept) records = new Map(records.entries().drop(mostKept / 2));
      recent.add(message);
      if (recent.count >= lookEvery && state === "idle") start();
    },
    end() {
      ending.abort();
      cancel();
    },
  };
}
