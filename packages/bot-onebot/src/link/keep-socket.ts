import { faultOf } from "./server-link.ts";
import { type ConnectFailure, type KeptSocket, failureOf, openSocket } from "./open-socket.ts";

/** Milliseconds before the first attempt to reconnect. */
const firstWait = 1000;

/** Milliseconds that a connection must last to reset the pauses: a server that accepts and closes is not tried every second. */
const goodFor = 10_000;

/** A connection that reconnects whenever it ends. */
export interface Kept {
  /** Tries immediately if there is no connection. Resolves when the attempt has succeeded or failed. */
  retry(): Promise<void>;
  stop(): void;
}

/** Makes one connection. `ended` is called once; with the milliseconds that it was open. */
function connectOnce(options: KeptSocket, ended: (failure: ConnectFailure, life: number) => void) {
  const { address, clock, fault } = options;
  const { socket, isOpened } = openSocket(options);
  let openedAt = clock.now();
  let error: Error | null = null;
  const { promise: settled, resolve } = Promise.withResolvers<void>();
  socket.on("open", () => {
    openedAt = clock.now();
    resolve();
  });
  socket.on("error", (cause) => {
    error = cause;
    const broken = isOpened() ? faultOf(cause.message) : null;
    if (broken !== null) fault(broken);
  });
  socket.on("close", (code) => {
    ended(failureOf(address, isOpened() ? null : error, code), isOpened() ? clock.now() - openedAt : 0);
    resolve();
  });
  return { settled, close: () => socket.close() };
}

/** Connects to a server of the other side. Tries again, with growing pauses. */
export function keepSocket(options: KeptSocket): Kept {
  const { clock, longestWait, failed } = options;
  let wait: number = firstWait;
  let isStopped = false;
  let cancel = (): void => {};
  let current: ReturnType<typeof connectOnce> | null = null;

  const again = (failure: ConnectFailure, life: number): void => {
    current = null;
    if (isStopped) return;
    if (life >= goodFor) wait = firstWait;
    cancel = clock.after(wait, connect);
    wait = Math.min(2 * wait, longestWait);
    failed(failure);
  };
  function connect(): void {
    cancel();
    try {
      current = connectOnce(options, again);
    } catch {
      // An address or a header that no request can have. Only this connection may end.
      again(
        {
          code: "connect_failed",
          text: "Telex cannot connect: the address or the secret has characters that no request can have.",
        },
        0,
      );
    }
  }
  connect();
  return {
    async retry() {
      if (current === null && !isStopped) connect();
      await current?.settled;
    },
    stop() {
      isStopped = true;
      cancel();
      current?.close();
    },
  };
}
