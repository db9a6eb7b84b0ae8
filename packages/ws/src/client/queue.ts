import type { ChannelName } from "../channels/table.ts";
import type { Connection } from "./connection.ts";
import { busy, endOf, SocketError } from "./errors.ts";
import type { Call } from "./types.ts";

interface Waiting<N extends ChannelName> {
  readonly send: (connection: Connection<N>) => void;
  readonly reject: (cause: SocketError) => void;
}

/** Sends calls over the current connection, and keeps them while it is lost. */
export function createCallQueue<N extends ChannelName>(most: number) {
  const waiting = new Set<Waiting<N>>();
  let open: Connection<N> | null = null;
  let over: SocketError | null = null;
  const call: Call<N> = (command, input, onPiece) =>
    new Promise((resolve, reject) => {
      const send = (connection: Connection<N>): void => resolve(connection.call(command, input, onPiece));
      if (over !== null) reject(endOf(over, false));
      else if ((open === null ? waiting.size : open.waiting()) >= most) reject(busy(most));
      else if (open === null) waiting.add({ send, reject });
      else send(open);
    });
  return {
    call,
    /** Sets the connection for calls; null keeps them waiting. */
    use(connection: Connection<N> | null): void {
      open = connection;
      if (connection === null) return;
      for (const { send } of waiting) send(connection);
      waiting.clear();
    },
    /** Rejects waiting calls and all later ones. */
    end(cause: SocketError): void {
      over = cause;
      open = null;
      for (const { reject } of waiting) reject(endOf(cause, false));
      waiting.clear();
    },
  };
}

/** Repeats calls that were lost with their connection. The end of the queue counts as not sent, so that the repeats stop. */
export function untilDone<N extends ChannelName>(call: Call<N>): Call<N> {
  const callUntilDone: Call<N> = (command, input, onPiece) =>
    call(command, input, onPiece).catch((cause: unknown) => {
      if (!(cause instanceof SocketError && cause.kind === "ended" && cause.isSent)) throw cause;
      return callUntilDone(command, input, onPiece);
    });
  return callUntilDone;
}
