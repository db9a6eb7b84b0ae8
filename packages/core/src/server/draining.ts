import type { Logger } from "@telex/ground/log";
import type { Clock } from "@telex/ground/time";
import type { LiveConnections } from "@telex/ground/live";

/** The number of groups in which the connections are closed: all clients of a server must not connect to the others simultaneously. */
const groups = 50;

interface DrainingDeps {
  readonly clock: Clock;
  readonly live: Pick<LiveConnections<never>, "list">;
  /** Passes the work that only one server does at a time to the others. Never rejects. */
  readonly handOver: () => Promise<void>;
  readonly log: Logger;
}

/** The state of a server that leaves its clients and its work to the other servers before it stops. */
export interface Draining {
  readonly isDraining: () => boolean;
  /** Drains, once: later calls wait for the first one. */
  drain(time: number): Promise<void>;
}

const wait = (clock: Clock, time: number): Promise<void> => new Promise((resolve) => void clock.after(time, resolve));

export function createDraining({ clock, live, handOver, log }: DrainingDeps): Draining {
  let draining: Promise<void> | null = null;
  const closeInGroups = async (time: number): Promise<void> => {
    const connections = live.list();
    for (let group = 0; group < groups; group += 1) {
      for (let index = group; index < connections.length; index += groups) connections[index]?.close("draining");
      await wait(clock, time / groups);
    }
  };
  const drain = async (time: number): Promise<void> => {
    log.info("server.draining", { ms: time });
    await Promise.all([handOver(), closeInGroups(time)]);
    log.info("server.drained", {});
  };
  return {
    isDraining: () => draining !== null,
    async drain(time) {
      draining ??= drain(time);
      await draining;
    },
  };
}
