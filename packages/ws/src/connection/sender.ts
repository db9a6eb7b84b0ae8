import type { Logger } from "@telex/core";
import type { CloseReason } from "@telex/core/transport";
import { closeCodes } from "../channels/table.ts";
import type { SendQueues } from "./send-queue.ts";
import type { Socket } from "./socket.ts";
import { encodeText } from "./wire.ts";

/** The outgoing half of a connection, until it ends. */
export interface Sender {
  readonly isEnded: () => boolean;
  /** Sends whole frames. */
  readonly write: (frames: readonly Buffer[]) => void;
  /** Sends one text. */
  readonly send: (text: string) => void;
  /** Resolves with true when the socket has taken all frames, or with false if the connection ends first. */
  readonly flushed: () => Promise<boolean>;
  /** Continues to write after the socket has drained. */
  readonly drained: () => void;
  /** Runs a task when the connection ends, on either side; immediately if it has ended. */
  readonly atEnd: (task: () => void) => void;
  /** Sends the reason and closes. Earlier output leaves first, unless the client is too slow to take it. */
  readonly end: (reason: CloseReason) => void;
  /** Notes that the socket has closed. */
  readonly gone: () => void;
}

/** Creates the sender of an open socket. */
export function createSender(socket: Socket, queues: SendQueues, log: Logger): Sender {
  const tasks: (() => void)[] = [];
  let ended = false;

  const settle = (how: "finish" | "drop"): boolean => {
    if (ended) return false;
    ended = true;
    for (const task of tasks) task();
    queue[how]();
    return true;
  };
  const end = (reason: CloseReason): void => {
    if (settle(reason === "too_slow" ? "drop" : "finish")) socket.close(closeCodes[reason].code);
  };
  const queue = queues.open({
    socket: socket.stream,
    isOpen: socket.isOpen,
    overflow() {
      log.warn("ws.too_slow");
      end("too_slow");
    },
  });
  return {
    isEnded: () => ended,
    write: queue.write,
    send: (text) => queue.write([encodeText(text)]),
    flushed: queue.flushed,
    drained: queue.drained,
    atEnd(task) {
      if (ended) task();
      else tasks.push(task);
    },
    end,
    gone: () => void settle("drop"),
  };
}
