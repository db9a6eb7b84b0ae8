import type { CloseReason, Logger } from "@telex/core";
import type { Link } from "./link.ts";
import type { Output } from "./outbox.ts";
import { encodeText } from "./wire.ts";

/** Codes with which Telex closes connections (RFC 6455 7.4; from 4000 on they are ours). */
const closeCodes: Readonly<Record<CloseReason, number>> = {
  token_ended: 4401,
  not_owner: 4403,
  unregistered: 4404,
  replaced: 4409,
  in_use: 4409,
  too_slow: 1013,
  too_many: 1013,
  stopping: 1001,
};

/** The outgoing half of a connection, until it ends. */
export interface Line {
  readonly isEnded: () => boolean;
  /** Puts whole frames on their way. */
  readonly write: (frames: readonly Buffer[]) => void;
  /** Puts one text on its way. */
  readonly send: (text: string) => void;
  /** Resolves with true when the socket has taken all that was put on its way, with false when it is gone before. */
  readonly flushed: () => Promise<boolean>;
  /** Goes on writing after the socket has drained. */
  readonly drained: () => void;
  /** Has this done when the connection ends, whoever ends it; at once where it has ended. */
  readonly atEnd: (task: () => void) => void;
  /** Says why and closes. What was sent before leaves first, but to those who are too slow to take it. */
  readonly end: (reason: CloseReason) => void;
  /** The socket is gone. */
  readonly gone: () => void;
}

/** The line over a link that has just been opened. */
export function createLine(link: Link, output: Output, log: Logger): Line {
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
    if (settle(reason === "too_slow" ? "drop" : "finish")) link.close(closeCodes[reason]);
  };
  const outbox = output.open({
    socket: link.socket,
    isOpen: link.isOpen,
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
