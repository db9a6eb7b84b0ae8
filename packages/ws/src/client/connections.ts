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

/** One connection after another, at most one at a time. */
export function createConnections({ options, clock, query, event, opened, ready }: ConnectionsDeps) {
  let connection: RawConnection | null = null;
  let watch: Watch | null = null;
  const abandon = (cause: SocketError): void => connection?.abandon(cause);

  const begin = async (own: RawConnection, watched: Watch): Promise<void> => {
    try {
      await own.opened;
      await watched.probe();
      await opened(own);
      if (own !== connection) return;
      watch = watched;
      ready(own);
    } catch (thrown) {
      own.abandon(openFailed(thrown));
    }
  };
  return {
    abandon,
    /** Makes one, and resolves when it has ended. */
    attempt: async (): Promise<SocketError> => {
      let heard = (): void => {};
      const own = createConnection({ ...options, query: query(), event, heard: () => heard() });
      const giveUp = (): void => own.abandon(givenUp("The service did not answer in time."));
      const watched = createWatch({ clock, ping: own.ping, giveUp });
      ({ heard } = watched);
      connection = own;
      void begin(own, watched);
      const cause = await own.ended;
      watched.stop();
      connection = watch = null;
      ready(null);
      return cause;
    },
    /** Makes sure that the open connection is alive. False if there is none. */
    probe(): boolean {
      watch?.probe().catch(() => {});
      return connection !== null;
    },
    /** Tells the service that a text has been used. If it refuses, another connection brings the text again. */
    acknowledge(id: number): void {
      connection?.call("ack", { id }).catch((cause: unknown) => {
        if (cause instanceof SocketError && cause.kind === "refused") abandon(cause);
      });
    },
  };
}
