import type { ChannelName } from "../channels/table.ts";
import type { ClientClock } from "./clock.ts";
import { type Connection, createConnection } from "./connection.ts";
import { givenUp, SocketError } from "./errors.ts";
import type { EventFrame } from "./frames.ts";
import type { OpenOptions } from "./open.ts";
import { createWatch } from "./watch.ts";

interface ConnectionsDeps<N extends ChannelName> {
  readonly options: Pick<OpenOptions<N>, "url" | "token" | "channel" | "language" | "connect">;
  readonly clock: ClientClock;
  /** The query of the next connection. */
  readonly query: () => Readonly<Record<string, string | undefined>>;
  readonly event: (event: EventFrame<N>) => void;
  /** Called when the service has answered on a new connection. If it rejects, the connection is closed. */
  readonly opened: (connection: Connection<N>) => Promise<void>;
  /** Called with a connection that is ready for calls, and with null when it is lost. */
  readonly ready: (connection: Connection<N> | null) => void;
}

const openFailed = (thrown: unknown): SocketError =>
  thrown instanceof SocketError ? thrown : givenUp("The connection was closed, because onOpen failed.", thrown);

/** Connects, and watches the connection. */
function connect<N extends ChannelName>({ options, clock, query, event }: ConnectionsDeps<N>) {
  let heard = (): void => {};
  const { url, token, channel, language, connect: makeSocket } = options;
  const connection = createConnection({
    url,
    token,
    channel,
    language,
    connect: makeSocket,
    query: query(),
    event,
    heard: () => heard(),
  });
  const giveUp = (): void => connection.abandon(givenUp("The service did not answer in time."));
  const watch = createWatch({ clock, ping: connection.ping, giveUp });
  ({ heard } = watch);
  return { connection, watch };
}

/** A connection and its watch. */
interface Attempt<N extends ChannelName> extends ReturnType<typeof connect<N>> {
  isReady: boolean;
}

/** Waits until the service has answered, and passes the connection on if it is still the current one. */
async function begin<N extends ChannelName>(
  { opened, ready }: ConnectionsDeps<N>,
  attempt: Attempt<N>,
  isCurrent: () => boolean,
): Promise<void> {
  const { connection, watch } = attempt;
  try {
    await connection.opened;
    await watch.probe();
    await opened(connection);
    if (!isCurrent()) return;
    attempt.isReady = true;
    ready(connection);
  } catch (thrown) {
    connection.abandon(openFailed(thrown));
  }
}

/** Makes one connection after another, at most one at a time. */
export function createConnections<N extends ChannelName>(deps: ConnectionsDeps<N>) {
  let current: Attempt<N> | null = null;
  const abandon = (cause: SocketError): void => current?.connection.abandon(cause);
  return {
    abandon,
    /** Makes a connection, and resolves when it has ended. */
    attempt: async (): Promise<SocketError> => {
      const attempt: Attempt<N> = { ...connect(deps), isReady: false };
      current = attempt;
      void begin(deps, attempt, () => current === attempt);
      const cause = await attempt.connection.ended;
      attempt.watch.stop();
      current = null;
      deps.ready(null);
      return cause;
    },
    /** Checks that the open connection is alive. False without an open connection. */
    probe(): boolean {
      if (current?.isReady === true) current.watch.probe().catch(() => {});
      return current !== null;
    },
    /** Acknowledges a text, or gives it up. If the service rejects this, another connection delivers the text again. */
    acknowledge(id: number, failed = false): void {
      current?.connection.tell("ack", { id, ...(failed && { failed }) }).catch((cause: unknown) => {
        if (cause instanceof SocketError && cause.kind === "refused") abandon(cause);
      });
    },
  };
}
