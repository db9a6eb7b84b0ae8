import type { ChannelName } from "../channels/table.ts";
import type { Frame } from "./calls.ts";
import type { ClientClock } from "./clock.ts";
import { createConnection, type RawConnection } from "./connection.ts";
import { givenUp, SocketError } from "./errors.ts";
import type { OpenOptions } from "./open.ts";
import { createWatch, type Watch } from "./watch.ts";

/** What {@link createConnections} needs. */
export interface ConnectionsDeps {
  readonly options: Pick<OpenOptions<ChannelName>, "url" | "token" | "channel" | "connect">;
  readonly clock: ClientClock;
  /** What the address of the next connection asks for. */
  readonly query: () => Readonly<Record<string, string | undefined>>;
  readonly event: (frame: Frame) => void;
  /** The service has answered on a new connection. A connection for which this fails is closed. */
  readonly opened: (connection: RawConnection) => Promise<void>;
  /** The connection is ready for calls; null: there is none. */
  readonly ready: (connection: RawConnection | null) => void;
}

const openFailed = (thrown: unknown): SocketError =>
  thrown instanceof SocketError ? thrown : givenUp("The connection was closed, because onOpen failed.", thrown);

/** Connects, and looks after the connection. */
function connect({ options, clock, query, event }: ConnectionsDeps) {
  let heard = (): void => {};
  const connection = createConnection({ ...options, query: query(), event, heard: () => heard() });
  const giveUp = (): void => connection.abandon(givenUp("The service did not answer in time."));
  const watch = createWatch({ clock, ping: connection.ping, giveUp });
  ({ heard } = watch);
  return { connection, watch };
}

/** One connection after another, at most one at a time. */
export function createConnections(deps: ConnectionsDeps) {
  const { opened, ready } = deps;
  let current: RawConnection | null = null;
  let isReady = false;
  let probe = (): Promise<void> => Promise.resolve();
  const abandon = (cause: SocketError): void => current?.abandon(cause);

  const begin = async (connection: RawConnection, watch: Watch): Promise<void> => {
    try {
      await connection.opened;
      await watch.probe();
      await opened(connection);
      if (connection !== current) return;
      ({ probe } = watch);
      isReady = true;
      ready(connection);
    } catch (thrown) {
      connection.abandon(openFailed(thrown));
    }
  };
  return {
    abandon,
    /** Makes one, and resolves when it has ended. */
    attempt: async (): Promise<SocketError> => {
      const { connection, watch } = connect(deps);
      current = connection;
      void begin(connection, watch);
      const cause = await connection.ended;
      watch.stop();
      current = null;
      isReady = false;
      ready(null);
      return cause;
    },
    /** Makes sure that the open connection is alive. False if there is none. */
    probe(): boolean {
      if (isReady) probe().catch(() => {});
      return current !== null;
    },
    /** Tells the service that a text has been used. If it refuses, another connection brings the text again. */
    acknowledge(id: number): void {
      current?.call("ack", { id }).catch((cause: unknown) => {
        if (cause instanceof SocketError && cause.kind === "refused") abandon(cause);
      });
    },
  };
}
