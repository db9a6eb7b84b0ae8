import { createInTurn } from "@telex/ground/concurrency";
import type { Logger } from "@telex/ground/log";
import { repeat, type Clock } from "@telex/ground/time";
import type { Change, ChangeFeed } from "./changes.ts";

/** Options of {@link createWatch}. */
interface WatchOptions {
  readonly feed: ChangeFeed;
  readonly clock: Clock;
  /** Milliseconds between reads of the feed. */
  readonly interval: number;
  readonly log: Logger;
  readonly changed: (change: Change) => void;
  /** Changes were removed before this process has seen them. Called before those that come after. */
  readonly missed: () => void;
  /** Called at every check, after the changes. */
  readonly tick: () => void;
}

/** Reads the feed from its latest change on. The returned function reads to its end. */
async function createReader({ feed, log, changed, missed }: WatchOptions): Promise<() => Promise<void>> {
  let seen = await feed.latest();
  /** False at the end of the feed. */
  const readSome = async (): Promise<boolean> => {
    const changes = await feed.since(seen);
    if (changes === null) {
      // The caller reads everything again after this, so it sees all earlier changes.
      seen = await feed.latest();
      log.warn("watch.missed");
      missed();
      return true;
    }
    for (const change of changes) {
      seen = change.seq;
      changed(change);
    }
    return changes.length > 0;
  };
  return async () => {
    while (await readSome());
  };
}

/** A running watch. */
interface Watch {
  readonly end: () => void;
  /** Checks immediately. False if the feed could not be read. */
  readonly look: () => Promise<boolean>;
}

/**
 * Reads the change feed at an interval, from the latest change on, so that a change by another process is in force here
 * within a second. Of checks that fail one after another, the first is logged.
 */
export async function startWatch(options: WatchOptions): Promise<Watch> {
  const { clock, interval, log, tick } = options;
  const end = new AbortController();
  const read = await createReader(options);
  /** True after a failed check. A storage that is away would fill the log with four checks a second. */
  let isFailing = false;
  const turns = createInTurn();

  const look = async (): Promise<void> => {
    try {
      await turns.run("read", read);
      isFailing = false;
    } catch (cause) {
      if (!end.signal.aborted && !isFailing) log.error("watch.failed", {}, cause);
      isFailing = true;
    }
    if (!end.signal.aborted) tick();
  };
  const cancel = repeat(clock, interval, look);
  return {
    look: async () => {
      await look();
      return !isFailing && !end.signal.aborted;
    },
    end() {
      end.abort();
      cancel();
    },
  };
}
