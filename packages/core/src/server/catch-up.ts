import { randomUUID } from "node:crypto";
import { second, type Clock } from "@telex/ground/time";
import type { BusLink } from "../bus/link.ts";
import type { ServerBusEvents } from "./bus-events.ts";

interface CatchUpDeps {
  readonly bus: Pick<BusLink<ServerBusEvents>, "publish">;
  readonly clock: Clock;
  /** The name of this server among the others. */
  readonly self: string;
  /** The names of the other servers that are alive. */
  readonly peers: () => readonly string[];
}

/** Milliseconds to wait for a server. One that lives reads the changes within that time by itself, also if the bus loses the question. */
const patience = second;

/** Lets a change be in force on all servers when it is acknowledged. */
export function createCatchUp({ bus, clock, self, peers }: CatchUpDeps) {
  const waiting = new Map<string, (server: string) => void>();
  let look = (): Promise<boolean> => Promise.resolve(false);
  return {
    /** Resolves when all servers have seen what is stored, or after {@link patience}. */
    everywhere: async (): Promise<void> => {
      const missing = new Set(peers());
      if (missing.size === 0) return;
      const key = randomUUID();
      const { promise, resolve } = Promise.withResolvers<void>();
      const cancel = clock.after(patience, resolve);
      waiting.set(key, (server) => {
        missing.delete(server);
        if (missing.size === 0) resolve();
      });
      bus.publish({ kind: "changes_ask", from: self, key });
      await promise;
      cancel();
      waiting.delete(key);
    },
    /** @param run sees what is stored; false if it could not */
    offer: (run: () => Promise<boolean>): void => void (look = run),
    heard: {
      async ask({ from, key }: ServerBusEvents["changes_ask"]): Promise<void> {
        if (await look()) bus.publish({ kind: "changes_seen", to: from, server: self, key });
      },
      seen: ({ key, server }: ServerBusEvents["changes_seen"]): void => waiting.get(key)?.(server),
    },
  };
}
