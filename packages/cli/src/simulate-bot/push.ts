import type { Frame, Implementation } from "@telex/bot-onebot/testing";

/** A WebSocket to Telex, opened by either side. */
export interface BotSocket {
  ping(data: string): void;
  terminate(): void;
  on(event: "pong", listener: (data: Buffer) => void): unknown;
  on(event: "close", listener: () => void): unknown;
}

/** The events of a bot. OneBot has no acknowledgements, so events that may be lost are pushed again on the next connection. */
export interface Push {
  /** True if Telex has read all events. */
  readonly isEmpty: boolean;
  /** Sets a new connection. */
  use(socket: BotSocket): void;
  /** Pushes an event as soon as possible. */
  add(frame: Frame): void;
  /** Holds events back while the account is signed out. */
  setOnline(isOnline: boolean): void;
  /** Cuts the connection. */
  drop(): void;
  /** Sends any text. */
  write(text: string): void;
}

/** Events to push through an implementation. */
export function createPush(bot: Pick<Implementation, "tell" | "write">): Push {
  // Telex answers a ping after it has read earlier frames. The number identifies the ping.
  const pending = new Map<Frame, number>();
  let socket: BotSocket | null = null;
  let isOnline = true;
  let pings = 0;

  const flush = (frames: Iterable<Frame>): void => {
    if (socket === null || !isOnline) return;
    pings += 1;
    for (const frame of frames) {
      bot.tell(frame);
      pending.set(frame, pings);
    }
    socket.ping(String(pings));
  };
  const read = (data: Buffer): void => {
    const last = Number(data.toString());
    for (const [frame, ping] of pending) if (ping <= last) pending.delete(frame);
  };
  return {
    get isEmpty() {
      return pending.size === 0;
    },
    use(opened) {
      socket = opened;
      opened.on("pong", read);
      opened.on("close", () => void (socket = socket === opened ? null : socket));
      flush([...pending.keys()]);
    },
    add(frame) {
      pending.set(frame, Number.POSITIVE_INFINITY);
      flush([frame]);
    },
    setOnline(online) {
      isOnline = online;
      if (online) flush([...pending.keys()]);
    },
    drop() {
      socket?.terminate();
      socket = null;
    },
    write: (text) => bot.write(text),
  };
}
