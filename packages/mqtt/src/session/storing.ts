import type { Clock } from "@telex/core";
import type { DeviceFeed } from "@telex/core/transport";
import type { Window } from "./window.ts";

/** The texts that a subscription has published. */
interface Published {
  readonly feed: Promise<Pick<DeviceFeed, "acknowledge"> | null>;
  /** Closed when the subscription or the connection has ended. */
  readonly window: Pick<Window, "closed">;
}

const second = 1000;
/** Milliseconds during which storing an acknowledgement is retried. */
const storeTime = 30 * second;
const pauseTime = second;

/**
 * Stores acknowledgements. A device does not repeat a PUBACK, so storing it is retried for 30 seconds while the connection is open.
 * The returned function resolves with false if it could not be stored.
 */
export function createStoring(clock: Clock, failed: (cause: unknown) => void) {
  let turn = Promise.resolve(true);
  const unstored = (cause: unknown): false => {
    failed(cause);
    return false;
  };
  const attempt = ({ feed }: Published, textId: number): Promise<boolean> =>
    feed.then((opened) => opened?.acknowledge(textId)).then(() => true, unstored);
  const pause = ({ window }: Published): Promise<boolean> => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const cancel = clock.after(pauseTime, () => resolve(true));
    return Promise.race([promise, window.closed]).finally(cancel);
  };
  const retry = async (published: Published, textId: number, end: number): Promise<boolean> => {
    while (!(await attempt(published, textId))) {
      if (clock.now() >= end || !(await pause(published))) return false;
    }
    return true;
  };
  return async (published: Published, textId: number): Promise<boolean> => {
    const end = clock.now() + storeTime;
    if (await attempt(published, textId)) return true;
    // One at a time, because one attempt stores all acknowledgements that could not be stored before.
    return (turn = turn.then(() => retry(published, textId, end)));
  };
}
