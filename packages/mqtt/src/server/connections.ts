import type { Telex } from "@telex/core";
import { type Callers, createSendQueues } from "@telex/ws/acceptor";
import { createClients } from "../connection/clients.ts";
import { type Connection, createConnection } from "../connection/connection.ts";
import type { Link } from "../io/link.ts";
import type { MqttLimits } from "../limits.ts";
import type { Discovery } from "../topics/discovery.ts";
import { codes } from "../wire/codes.ts";

interface ConnectionsDeps {
  readonly telex: Telex;
  readonly limits: MqttLimits;
  readonly callers: Callers;
  readonly discovery: Discovery | null;
}

/** The open connections of a server. */
export interface Connections {
  readonly size: () => number;
  /** Call the returned `closed` when the stream has closed. */
  open(link: Link): { readonly connection: Connection; readonly closed: () => void };
  /** Closes every connection, and waits for the end of their sessions, but at most until `closeTime` after the deadline. */
  close(deadline: number): Promise<void>;
}

export function createConnections({ telex, limits, callers, discovery }: ConnectionsDeps): Connections {
  const { clock, log } = telex;
  const all = new Set<Connection>();
  const endings = new Set<Promise<void>>();
  const queues = createSendQueues({ each: limits.outputWaiting, all: limits.outputWaitingTotal });
  const clients = createClients();
  const finish = (ending: Promise<void>): void => {
    const settled = ending
      .catch((cause: unknown) => log.error("mqtt.end_failed", {}, cause))
      .finally(() => endings.delete(settled));
    endings.add(settled);
  };
  const ended = async (): Promise<void> => {
    while (endings.size > 0) await Promise.all(endings);
  };
  let isClosing = false;
  return {
    size: () => all.size,
    open(link) {
      const connection = createConnection({ telex, limits, callers, queues, clients, discovery, finish }, link);
      all.add(connection);
      if (isClosing) connection.leave(codes.shuttingDown);
      const { promise: closed, resolve } = Promise.withResolvers<void>();
      finish(closed.then(connection.closed).finally(() => all.delete(connection)));
      return { connection, closed: resolve };
    },
    async close(deadline) {
      isClosing = true;
      for (const connection of all) connection.leave(codes.shuttingDown);
      const left = Math.max(0, deadline - clock.now());
      const cancel = clock.after(left, () => {
        for (const connection of all) connection.terminate();
      });
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const cancelLate = clock.after(left + limits.closeTime, resolve);
      await Promise.race([ended(), late]);
      cancel();
      cancelLate();
    },
  };
}
