import type { Clock } from "@telex/ground/time";
import type { BusLink, EventOf } from "@telex/ground/bus";
import type { ServerBusEvents } from "./bus-events.ts";
import type { Draining } from "./draining.ts";

/** Milliseconds for the answer of a server that is to drain. */
const patience = 5000;

interface RemoteDrainsDeps {
  readonly draining: Draining;
  readonly bus: Pick<BusLink<ServerBusEvents>, "publish">;
  readonly clock: Clock;
  /** The name of this server for operators, and its name on the bus. */
  readonly server: string;
  readonly self: string;
}

/** Drains a server of the installation by its name. */
export interface RemoteDrains {
  /** Resolves with true when the server has begun to drain, and with false if no server with this name answers. */
  begin(server: string, time: number): Promise<boolean>;
  readonly heard: {
    drain(event: EventOf<ServerBusEvents, "drain">): void;
    begun(event: EventOf<ServerBusEvents, "drain_begun">): void;
  };
}

export function createRemoteDrains({ draining, bus, clock, server: own, self }: RemoteDrainsDeps): RemoteDrains {
  const begun = new Map<string, PromiseWithResolvers<boolean>>();
  return {
    async begin(server, time) {
      if (server === own) {
        void draining.drain(time);
        return true;
      }
      const answer = begun.get(server) ?? Promise.withResolvers<boolean>();
      begun.set(server, answer);
      const cancel = clock.after(patience, () => answer.resolve(false));
      bus.publish({ kind: "drain", server, time, from: self });
      try {
        return await answer.promise;
      } finally {
        cancel();
        begun.delete(server);
      }
    },
    heard: {
      drain({ server, time, from }) {
        if (server !== own) return;
        void draining.drain(time);
        bus.publish({ kind: "drain_begun", server, to: from });
      },
      begun: ({ server }) => begun.get(server)?.resolve(true),
    },
  };
}
