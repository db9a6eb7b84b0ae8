import type { NatsConnection } from "@nats-io/transport-node";
import { dial, isAbsence } from "./dial.ts";
import type { CompleteNatsOptions } from "./options.ts";
import { createSubscriptions } from "./subscriptions.ts";
import { shared, within } from "./wait.ts";
import { createWindow, type Window } from "./window.ts";

/** Maximum milliseconds that joining waits for the first connection. */
const firstWait = 5000;
/** Maximum milliseconds that following and leaving wait until NATS has received everything. */
const flushWait = 1000;

/** The connection of one server. It reconnects when it is lost. */
interface Link {
  /**
   * Connects. Resolves when it is connected, or after a while if NATS does not respond.
   * @throws Error if NATS refuses the server
   */
  open(): Promise<void>;
  /** Sends the payload, or drops it while there is no connection. */
  publish(subject: string, payload: Uint8Array): void;
  /** Resolves when events on the subject can arrive, or after a short time. */
  subscribe(subject: string): Promise<void>;
  unsubscribe(subject: string): void;
  /** Closes the connection permanently. */
  close(): Promise<void>;
}

interface Up {
  readonly connection: NatsConnection;
  readonly window: Window;
  /** False while it reconnects. Events that are published then are lost. */
  isConnected: boolean;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const refusalOf = (error: unknown): Error =>
  new Error(`NATS refused the connection: ${messageOf(error)}`, { cause: error });

/** Logs when the connection is lost and restored, with the number of events that were lost in between. */
function createJournal({ log }: CompleteNatsOptions) {
  let lost = 0;
  let isLogged = false;
  return {
    lost: (): void => void (lost += 1),
    connected(node: string): void {
      log?.info("bus.connected", { node, lost });
      lost = 0;
      isLogged = false;
    },
    disconnected: (): void => log?.warn("bus.disconnected"),
    /** Logs only the first failed attempt. */
    failed(error: unknown): void {
      if (!isLogged) log?.warn("bus.connect_failed", { reason: messageOf(error) });
      isLogged = true;
    },
  };
}

type Journal = ReturnType<typeof createJournal>;

/** Logs the events of a connection until it is closed permanently. */
async function watch(up: Up, journal: Journal): Promise<void> {
  for await (const { type } of up.connection.status()) {
    if (type === "disconnect" && up.isConnected) {
      up.isConnected = false;
      journal.disconnected();
    } else if (type === "reconnect") {
      up.isConnected = true;
      journal.connected(up.connection.getServer());
    }
  }
}

/** Sends over the connection; false if it is down or full. */
function send({ connection, window, isConnected }: Up, subject: string, payload: Uint8Array): boolean {
  const bytes = payload.length;
  if (!isConnected || bytes > (connection.info?.max_payload ?? 0) || !window.hasRoom(bytes)) return false;
  try {
    connection.publish(subject, payload);
  } catch {
    // The connection was closed just now.
    return false;
  }
  window.add(bytes);
  return true;
}

/** Creates a link without connecting it. `receive` is called with the payloads of the subscribed subjects. */
export function createLink(options: CompleteNatsOptions, receive: (payload: Uint8Array) => void): Link {
  const ended = new AbortController();
  const { signal } = ended;
  const journal = createJournal(options);
  const subscriptions = createSubscriptions((payload) => {
    if (!signal.aborted) receive(payload);
  });
  let up: Up | null = null;

  const flush = shared(async () => {
    if (up?.isConnected === true) await within(up.connection.flush(), flushWait);
  });
  /** Reconnects until the end. `opened` is called with the outcome of the first connection. */
  const keep = async (opened: (refusal: Error | null) => void): Promise<void> => {
    const failed = (error: unknown): void => {
      journal.failed(error);
      if (!isAbsence(error)) opened(refusalOf(error));
    };
    for (;;) {
      const connection = await dial(options.connection, signal, failed);
      if (connection === null) return;
      up = { connection, window: createWindow(() => connection.flush()), isConnected: true };
      subscriptions.use(connection);
      journal.connected(connection.getServer());
      void flush().then(() => opened(null));
      await watch(up, journal);
      up = null;
    }
  };
  return {
    async open() {
      const { promise, resolve } = Promise.withResolvers<Error | null>();
      void keep(resolve);
      const refusal = await within(promise, firstWait);
      if (refusal === null) return;
      ended.abort();
      throw refusal;
    },
    publish(subject, payload) {
      if (up === null || !send(up, subject, payload)) journal.lost();
    },
    subscribe(subject) {
      if (signal.aborted) return Promise.resolve();
      subscriptions.add(subject);
      return flush();
    },
    unsubscribe: (subject) => subscriptions.remove(subject),
    async close() {
      await flush();
      ended.abort();
      await up?.connection.close();
    },
  };
}
