import type { Logger } from "@telex/core";
import type { CloseReason } from "@telex/core/transport";
import { closeCodes } from "../channels/table.ts";
import type { Output } from "./outbox.ts";
import type { Socket } from "./socket.ts";
import { encodeText } from "./wire.ts";

/** The outgoing half of a connection, until it ends. */
export interface Sender {
  readonly isEnded: () => boolean;
  /** Sends whole frames. */
  readonly write: (frames: readonly Buffer[]) => void;
  /** Sends one text. */
  readonly send: (text: string) => void;
  /** Resolves with true when the socket has taken all that was sent, with false when it is gone before. */
  readonly flushed: () => Promise<boolean>;
  /** Goes on writing after the socket has drained. */
  readonly drained: () => void;
  /** Calls this when the connection ends, whichever side ends it; immediately if it has ended. */
  readonly atEnd: (task: () => void) => void;
  /** Says why and closes. What was sent before leaves first, but to those who are too slow to take it. */
  readonly end: (reason: CloseReason) => void;
  /** The socket is gone. */
  readonly gone: () => void;
}

/** The sender of a socket that has just been opened. */
export function createSender(socket: Socket, output: Output, log: Logger): Sender {
  const tasks: (() => void)[] = [];
  let ended = false;

  const settle = (how: "finish" | "drop"): boolean => {
    if (ended) return false;
    ended = true;
    for (const task of tasks) task();
    outbox[how]();
    return true;
  };
  const end = (reason: CloseReason): void => {
    if (settle(reason === "too_slow" ? "drop" : "finish")) socket.close(closeCodes[reason].code);
  };
  const outbox = output.open({
    socket: socket.stream,
    isOpen: socket.isOpen,
    overflow() {
      log.warn("ws.too_slow");
      end("too_slow");
    },
  });
  return {
    isEnded: () => ended,
    write: outbox.write,
    send: (text) => outbox.write([encodeText(text)]),
    flushed: outbox.flushed,
    drained: outbox.drained,
    atEnd(task) {
      if (ended) task();
      else tasks.push(task);
    },
    end,
    gone: () => void settle("drop"),
  };
}
