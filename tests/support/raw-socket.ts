import { once } from "node:events";
import { type ClientOptions, WebSocket } from "ws";

/** Keeps items in order until they are taken. */
export function createInbox<T>() {
  const kept: T[] = [];
  const takers: { readonly resolve: (item: T) => void; readonly reject: (cause: Error) => void }[] = [];
  let over: Error | null = null;
  return {
    put(item: T): void {
      const taker = takers.shift();
      if (taker === undefined) kept.push(item);
      else taker.resolve(item);
    },
    take: () =>
      new Promise<T>((resolve, reject) => {
        const [item] = kept;
        if (item !== undefined) {
          kept.shift();
          resolve(item);
        } else if (over === null) takers.push({ resolve, reject });
        else reject(over);
      }),
    end(cause: Error): void {
      over = cause;
      for (const taker of takers.splice(0)) taker.reject(cause);
    },
    kept,
  };
}

/**
 * A WebSocket for tests of the frames themselves. It sends malformed and unknown commands and headers of a browser, uses channels
 * of plug-ins, and returns each frame exactly as it arrived. All other tests use `@telex/ws/client`.
 */
export interface RawSocket {
  readonly socket: WebSocket;
  /** Sends a text unchanged, and other values as JSON. */
  readonly send: (frame: unknown) => void;
  /** The next frame, unparsed. Rejects if the connection ends first. */
  readonly nextText: () => Promise<string>;
  /** The close code of the connection. */
  readonly closed: Promise<number>;
  readonly close: () => Promise<void>;
}

/** Connects, and resolves when the connection is open. */
export async function openRawSocket(
  url: string,
  protocols: readonly string[] = [],
  options: ClientOptions = {},
): Promise<RawSocket> {
  const socket = new WebSocket(url, [...protocols], options);
  const inbox = createInbox<string>();
  socket.on("message", (data: Buffer) => inbox.put(data.toString("utf8")));
  const closed = new Promise<number>((resolve) => {
    socket.on("close", (code) => {
      inbox.end(new Error(`closed with ${code}`));
      resolve(code);
    });
  });
  socket.on("error", () => {});
  await once(socket, "open");
  return {
    socket,
    closed,
    send: (frame) => socket.send(typeof frame === "string" ? frame : JSON.stringify(frame)),
    nextText: () => inbox.take(),
    async close() {
      socket.close();
      await closed;
    },
  };
}
