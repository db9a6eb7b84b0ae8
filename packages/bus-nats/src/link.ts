import type { NatsConnection } from "@nats-io/transport-node";
import { dial, isAbsence } from "./dial.ts";
import type { CompleteNatsOptions } from "./options.ts";
import { createSubscriptions } from "./subscriptions.ts";
import { shared, within } from "./wait.ts";
import { createWindow, type Window } from "./window.ts";

/** Milliseconds that joining waits for the first connection. */
const firstWait = 5000;
/** Milliseconds that following and leaving wait for NATS to have received everything. */
const flushWait = 1000;

/** The connection of one server, which comes back by itself. */
interface Link {
  /**
   * Connects. Resolves when it is connected, or after a while if NATS is not there.
   * @throws Error if NATS refuses the server
   */
  open(): Promise<void>;
  /** Sends, or loses it. */
  publish(subject: string, payload: Uint8Array): void;
  /** Resolves when what is published on the subject arrives, or soon. */
  subscribe(subject: string): Promise<void>;
  unsubscribe(subject: string): void;
  /** Closes it for good: nothing is received any more. */
  close(): Promise<void>;
}

/** A connection to NATS while there is one. */
interface Up {
  readonly connection: NatsConnection;
  readonly window: Window;
  /** False while it reconnects: what is published then is lost. */
  isConnected: boolean;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const refusalOf = (error: unknown): Error =>
  new Error(`NATS refused the connection: ${messageOf(error)}`, { cause: error });

/** Logs that the connection comes and goes, with the number of events that were lost meanwhile. */
function createJournal({ log }: CompleteNatsOptions) {
  let lost = 0;
  let isTold = false;
  return {
    lost: (): void => void (lost += 1),
    connected(node: string): void {
      log?.info("bus.connected", { node, lost });
      lost = 0;
      isTold = false;
    },
    disconnected: (): void => log?.warn("bus.disconnected"),
    /** Says only once that NATS is not there. */
    failed(error: unknown): void {
      if (!isTold) log?.warn("bus.connect_failed", { reason: messageOf(error) });
      isTold = true;
    },
  };
}

type Journal = ReturnType<typeof createJournal>;

/** Notes what happens to a connection until it is closed for good. */
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

/** Sends if there is a connection that takes it. */
function send({ connection, window, isConnected }: Up, subject: string, payload: Uint8Array): boolean {
  const bytes = payload.length;
  if (!isConnected || bytes > (connection.info?.max_payload ?? 0) || !window.hasRoom(bytes)) return false;
  try {
    connection.publish(subject, payload);
  } catch {
    // It has just been closed.
    return false;
  }
  window.add(bytes);
  return true;
}

/** Not connected yet. `receive` is called with what others publish on the subjects that were subscribed. */
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
  /** Keeps a connection until the end. `opened` hears how the first one went. */
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
