import type { LiveConnection } from "../live/live.ts";
import type { Logger } from "../log/log.ts";
import { createSemaphore } from "../concurrency/semaphore.ts";
import type { Listening, ListenOptions } from "../telex.ts";
import type { FanOut, HeldListener } from "./fan-out.ts";
import { replay, type ReplayDependencies } from "./replay.ts";

/** What listening needs. */
export interface ListenDeps extends ReplayDependencies {
  /** Prepares for a listener to the rooms of this user; null if nothing has to be prepared. */
  readonly prepare: ((userId: number) => Promise<void>) | null;
}

/**
 * How connections begin to listen. Only a few replays run simultaneously. A connection whose replay waits does not listen yet,
 * so nothing is kept for it; what is published during its replay waits until the replay is complete.
 */
export function createListen(fanOut: FanOut, log: Logger, deps: ListenDeps) {
  const replays = createSemaphore(deps.limits.replaysAtOnce, Number.POSITIVE_INFINITY);

  return (connection: LiveConnection, { echo, since }: ListenOptions): Listening => {
    let listener: HeldListener | null = null;
    let stopped = false;
    const isStopped = (): boolean => stopped;
    const stop = (): void => {
      stopped = true;
      listener?.stop();
    };
    const catchUp = async (from: number): Promise<void> => {
      const leave = await replays.enter(1);
      try {
        await deps.prepare?.(connection.holder.userId);
        if (isStopped()) return;
        const held = fanOut.listen(connection, echo);
        listener = held;
        const replayed = await replay(deps, connection, { since: from, echo, isStopped });
        if (!isStopped()) held.release(replayed);
      } finally {
        leave();
      }
    };
    if (since === null) {
      listener = fanOut.listen(connection, echo);
      listener.release(new Map());
    }
    const begun = since === null ? deps.prepare?.(connection.holder.userId) : catchUp(since);
    const ready = Promise.resolve(begun).catch((cause: unknown) => {
      // Without its replay the connection would have a hole: it comes again with the same `since`.
      log.error("listen.replay_failed", { userId: connection.holder.userId }, cause);
      stop();
      connection.close("too_slow");
    });
    return { ready, stop };
  };
}
