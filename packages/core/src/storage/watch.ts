import type { Logger } from "../log/log.ts";
import type { Change, ChangeFeed } from "./storage.ts";
import type { Clock } from "../time/clock.ts";

/** What {@link createWatch} needs. */
interface WatchOptions {
  readonly feed: ChangeFeed;
  readonly clock: Clock;
  /** Milliseconds between two looks. */
  readonly interval: number;
  readonly log: Logger;
  readonly changed: (change: Change) => void;
  /** Called at every look, after the changes. */
  readonly tick: () => void;
}

/**
 * Looks at the change feed at an interval, from the latest change on, so that what another process changes is in force
 * here within a second. The returned function ends it.
 */
export async function startWatch({ feed, clock, interval, log, changed, tick }: WatchOptions): Promise<() => void> {
  const end = new AbortController();
  let seen = await feed.latest();
  let cancel: (() => void) | null = null;

  const read = async (): Promise<void> => {
    for (let changes = await feed.since(seen); changes.length > 0; changes = await feed.since(seen)) {
      for (const change of changes) {
        seen = change.seq;
        changed(change);
      }
    }
  };
  const look = async (): Promise<void> => {
    try {
      await read();
    } catch (cause) {
      if (!end.signal.aborted) log.error("watch.failed", {}, cause);
    }
    if (end.signal.aborted) return;
    tick();
    plan();
  };
  const plan = (): void => {
    cancel = clock.after(interval, () => void look());
  };
  plan();
  return () => {
    end.abort();
    cancel?.();
  };
}
