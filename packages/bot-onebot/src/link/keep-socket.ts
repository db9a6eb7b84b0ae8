import type { Clock } from "@telex/core";
import { WebSocket } from "undici";
import type { Link, LinkHooks } from "./link.ts";

/** Milliseconds before the first attempt to connect again. */
const firstWait = 1000;

/** A WebSocket of our own as a link. Reading it cannot be stopped: `undici` has no door for that. */
function linkOf(socket: WebSocket, question: string | null): Link {
  const send = (text: string): boolean => {
    const isOpen = socket.readyState === WebSocket.OPEN;
    if (isOpen) socket.send(text);
    return isOpen;
  };
  return {
    send,
    waiting: () => socket.bufferedAmount,
    ping: () => void (question !== null && send(question)),
    close: (code) => socket.close(code === 1001 ? 1000 : code),
    terminate: () => socket.close(),
    pause() {},
    resume() {},
  };
}

/** A connection that is made again whenever it ends. */
export interface Kept {
  stop(): void;
}

/** What keeping a connection needs. */
interface KeptSocket {
  readonly clock: Clock;
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds at most before an attempt to connect again. */
  readonly longestWait: number;
  /** What makes a living other side send something; null if nothing is asked. */
  readonly question: string | null;
  readonly opened: (link: Link) => LinkHooks;
  /** A connection has ended, or was not made. */
  readonly failed: () => void;
}

/** Connects to a server of the other side. Tries again, rarer each time. */
export function keepSocket(kept: KeptSocket): Kept {
  const { clock, address, headers, longestWait, question, opened, failed } = kept;
  let wait: number = firstWait;
  let isStopped = false;
  let cancel = (): void => {};
  let socket: WebSocket | null = null;

  const again = (): void => {
    if (isStopped) return;
    failed();
    cancel = clock.after(wait, connect);
    wait = Math.min(2 * wait, longestWait);
  };
  function open(): void {
    const opening = new WebSocket(address, { headers: { ...headers } });
    socket = opening;
    let hooks: LinkHooks | null = null;
    opening.addEventListener("open", () => {
      wait = firstWait;
      hooks = opened(linkOf(opening, question));
    });
    opening.addEventListener("message", ({ data }) => typeof data === "string" && hooks?.received(data));
    // What went wrong is followed by `close`.
    opening.addEventListener("error", () => {});
    opening.addEventListener("close", () => {
      hooks?.closed();
      again();
    });
  }
  function connect(): void {
    try {
      open();
    } catch {
      // An address or a header that no request can have: nothing else may end with it.
      again();
    }
  }
  connect();
  return {
    stop() {
      isStopped = true;
      cancel();
      socket?.close();
    },
  };
}
