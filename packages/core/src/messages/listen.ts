import type { LiveConnection } from "../live.ts";
import type { Logger } from "../log.ts";
import type { Listening, ListenOptions } from "../telex.ts";
import type { FanOut } from "./fan-out.ts";
import { replay, type ReplayDependencies } from "./replay.ts";

/** How connections begin to listen: what comes during a replay waits until the replay is through. */
export const createListen =
  (fanOut: FanOut, log: Logger, deps: ReplayDependencies) =>
  (connection: LiveConnection, { echo, since }: ListenOptions): Listening => {
    const listener = fanOut.listen(connection, echo);
    let stopped = false;
    const stop = (): void => {
      stopped = true;
      listener.stop();
    };
    const catchUp = async (): Promise<void> => {
      const known = since === null ? () => false : await replay(deps, connection, { since, echo });
      if (!stopped) listener.release(known);
    };
    const ready = catchUp().catch((cause: unknown) => {
      // Without its replay the connection would have a hole: it comes again with the same `since`.
      log.error("listen.replay_failed", { userId: connection.holder.userId }, cause);
      stop();
      connection.close("too_slow");
    });
    return { ready, stop };
  };
