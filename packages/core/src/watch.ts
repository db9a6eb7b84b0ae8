import type { Logger } from "./log.ts";
import type { Change, ChangeFeed } from "./storage.ts";
import type { Clock } from "./time.ts";

/** What {@link createWatch} needs. */
export interface WatchOptions {
  readonly feed: ChangeFeed;
  readonly clock: Clock;
  /** Milliseconds between two looks. */
  readonly interval: number;
  readonly log: Logger;
  readonly changed: (change: Change) => void;
  /** Called at every look, after the changes. */
  readonly tick: () => void;
}

/** Looks at the change feed at an interval, so that what another process changes is in force here within a second. */
export interface Watch {
  /** Looks now. Resolves when every change that is visible now has been told. */
  look(): Promise<void>;
  stop(): void;
}

/** Starts watching from the latest change on. */
export async function createWatch(options: WatchOptions): Promise<Watch> {
  const { feed, clock, interval, log, changed, tick } = options;
  let seen = await feed.latest();
  let running: Promise<void> = Promise.resolve();
  let cancel: () => void = () => {};
  let stopped = false;

  const read = async (): Promise<void> => {
    for (let changes = await feed.since(seen); changes.length > 0 && !stopped; changes = await feed.since(seen)) {
      for (const change of changes) {
        seen = change.seq;
        changed(change);
      }
    }
  };
  const look = (): Promise<void> => {
    running = running
      .then(read)
      .catch((cause: unknown) => log.warn("watch.failed", { reason: cause instanceof Error ? cause.name : "unknown" }))
      .then(() => {
        if (!stopped) tick();
      });
    return running;
  };
  const plan = (): void => {
    cancel = clock.after(interval, () => {
      void look().finally(() => {
        if (!stopped) plan();
      });
    });
  };
  plan();
  return {
    look,
    stop() {
      stopped = true;
      cancel();
    },
  };
}
