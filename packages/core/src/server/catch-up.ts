import { randomUUID } from "node:crypto";
import { second, type Clock } from "@telex/ground/time";
import type { BusLink } from "@telex/ground/bus";
import type { ServerBusEvents } from "./bus-events.ts";

interface CatchUpDeps {
  readonly bus: Pick<BusLink<ServerBusEvents>, "publish">;
  readonly clock: Clock;
  /** The name of this server among the others. */
  readonly self: string;
  /** The names of the other servers that are alive, each with a number that rises when something of it is heard. */
  readonly peers: () => ReadonlyMap<string, number>;
}

/** Milliseconds to wait for a server. A running server reads the changes within that time, even if the bus loses the question. */
const patience = second;

/** Milliseconds until servers that have not answered are asked again: a bus may lose a question. */
const askEvery = 250;

/** Makes sure that a change is in force on all servers when it is acknowledged. */
export function createCatchUp({ bus, clock, self, peers }: CatchUpDeps) {
  const waiting = new Map<string, (server: string) => void>();
  /** Servers that did not answer, with the number that they had then. They are asked, but not waited for, until something is heard of them. */
  const silent = new Map<string, number>();
  let look = (): Promise<boolean> => Promise.resolve(false);
  const ask = (key: string): (() => void) => {
    bus.publish({ kind: "changes_ask", from: self, key });
    let cancel = clock.after(askEvery, () => void (cancel = ask(key)));
    return () => cancel();
  };
  return {
    /** Resolves when all servers have seen what is stored, or after {@link patience}. */
    everywhere: async (): Promise<void> => {
      const alive = peers();
      if (alive.size === 0) return;
      for (const name of silent.keys()) if (alive.get(name) !== silent.get(name)) silent.delete(name);
      const missing = new Set([...alive.keys()].filter((name) => !silent.has(name)));
      const key = randomUUID();
      const { promise, resolve } = Promise.withResolvers<void>();
      const cancel = clock.after(patience, resolve);
      waiting.set(key, (server) => {
        missing.delete(server);
        if (missing.size === 0) resolve();
      });
      const quiet = ask(key);
      if (missing.size === 0) resolve();
      await promise;
      quiet();
      cancel();
      waiting.delete(key);
      for (const [name, number] of alive) if (missing.has(name)) silent.set(name, number);
    },
    /** @param run sees what is stored; false if it could not */
    offer: (run: () => Promise<boolean>): void => void (look = run),
    heard: {
      async ask({ from, key }: ServerBusEvents["changes_ask"]): Promise<void> {
        if (await look()) bus.publish({ kind: "changes_seen", to: from, server: self, key });
      },
      seen({ key, server }: ServerBusEvents["changes_seen"]): void {
        silent.delete(server);
        waiting.get(key)?.(server);
      },
    },
  };
}
