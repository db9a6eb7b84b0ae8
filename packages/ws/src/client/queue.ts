import type { RawCall, RawConnection } from "./connection.ts";
import { busy, endOf, SocketError } from "./errors.ts";

interface Waiting {
  readonly send: (connection: RawConnection) => void;
  readonly reject: (cause: SocketError) => void;
}

/** Calls that go over the connection of the moment, and wait while there is none. */
export function createCallQueue(most: number) {
  const waiting = new Set<Waiting>();
  let open: RawConnection | null = null;
  let over: SocketError | null = null;
  const call: RawCall = (command, input, piece) =>
    new Promise((resolve, reject) => {
      const send = (connection: RawConnection): void => resolve(connection.call(command, input, piece));
      if (over !== null) reject(endOf(over, false));
      else if ((open === null ? waiting.size : open.waiting()) >= most) reject(busy(most));
      else if (open === null) waiting.add({ send, reject });
      else send(open);
    });
  return {
    call,
    /** From now on calls are sent over this connection; null keeps them. */
    use(connection: RawConnection | null): void {
      open = connection;
      if (connection === null) return;
      for (const { send } of waiting) send(connection);
      waiting.clear();
    },
    /** Refuses what waits, and everything after it. */
    end(cause: SocketError): void {
      over = cause;
      open = null;
      for (const { reject } of waiting) reject(endOf(cause, false));
      waiting.clear();
    },
  };
}

/** Repeats calls that were lost with their connection. An end of all calls is told as not sent, so that it ends this. */
export const untilDone =
  (call: RawCall): RawCall =>
  async (...args) => {
    for (;;) {
      try {
        return await call(...args);
      } catch (cause) {
        if (!(cause instanceof SocketError && cause.kind === "ended" && cause.isSent)) throw cause;
      }
    }
  };
