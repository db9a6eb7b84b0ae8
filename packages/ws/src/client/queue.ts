import type { Frame } from "./calls.ts";
import type { RawConnection } from "./connection.ts";
import { busy, endOf, type SocketError } from "./errors.ts";

interface Waiting {
  readonly send: (connection: RawConnection) => void;
  readonly reject: (cause: SocketError) => void;
}

/** Calls that go over the connection of the moment, and wait while there is none. */
export function createCallQueue(most: number) {
  const waiting = new Set<Waiting>();
  let open: RawConnection | null = null;
  let over: SocketError | null = null;
  return {
    /** From now on calls are sent over this connection; null keeps them. */
    use(connection: RawConnection | null): void {
      open = connection;
      if (connection === null) return;
      for (const { send } of waiting) send(connection);
      waiting.clear();
    },
    call: (command: string, input: object, piece?: (frame: Frame) => void): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const send = (connection: RawConnection): void => resolve(connection.call(command, input, piece));
        if (over !== null) reject(endOf(over, false));
        else if ((open === null ? waiting.size : open.waiting()) >= most) reject(busy(most));
        else if (open === null) waiting.add({ send, reject });
        else send(open);
      }),
    /** Refuses what waits, and everything after it. */
    end(cause: SocketError): void {
      over = cause;
      open = null;
      for (const { reject } of waiting) reject(endOf(cause, false));
      waiting.clear();
    },
  };
}
