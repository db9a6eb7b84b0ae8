import type { Logger } from "@telex/core";
import type { SendQueues } from "@telex/ws/acceptor";
import { encode, type Packet, type Version } from "../wire/packets.ts";
import { codes } from "../wire/codes.ts";
import type { Link } from "./link.ts";

/** The outgoing half of a connection, until it ends. */
export interface Out {
  /** The version of CONNECT; 3.1.1 before that. */
  version: Version;
  readonly send: (packet: Packet) => void;
  /** Writes bytes as they are. */
  readonly write: (bytes: Buffer) => void;
  /** Resolves with true when all packets were written to the stream, or with false if the connection ends first. */
  readonly flushed: () => Promise<boolean>;
  readonly isEnded: () => boolean;
  /** Runs a task when the connection ends, on either side; immediately if it has ended. */
  readonly atEnd: (task: () => void) => void;
  /** Closes. In MQTT 5, a reason is sent with DISCONNECT; null sends none. */
  readonly end: (reason: number | null) => void;
  /** Continues after the stream has drained. */
  readonly drained: () => void;
  /** Notes that the connection has closed. */
  readonly gone: () => void;
}

interface OutDeps {
  readonly link: Link;
  readonly queues: SendQueues;
  readonly log: Logger;
  /** Waits until the other side closes, then cuts the connection. */
  readonly cutLater: () => void;
}

export function createOut({ link, queues, log, cutLater }: OutDeps): Out {
  const tasks: (() => void)[] = [];
  let isEnded = false;
  const settle = (how: "finish" | "drop"): void => {
    isEnded = true;
    for (const task of tasks) task();
    queue[how]();
  };
  const end = (reason: number | null, isSlow: boolean): void => {
    if (isEnded) return;
    if (!isSlow && reason !== null && out.version === 5) out.send({ cmd: "disconnect", reasonCode: reason });
    settle(isSlow ? "drop" : "finish");
    if (isSlow) link.terminate();
    else {
      link.end();
      cutLater();
    }
  };
  const queue = queues.open({
    socket: link.stream,
    isOpen: link.isOpen,
    overflow() {
      log.warn("mqtt.too_slow", {});
      end(codes.quotaExceeded, true);
    },
  });
  const out: Out = {
    version: 4,
    send(packet) {
      if (!isEnded) queue.write([link.frame(encode(packet, out.version))]);
    },
    write: (bytes) => queue.write([bytes]),
    flushed: queue.flushed,
    isEnded: () => isEnded,
    atEnd(task) {
      if (isEnded) task();
      else tasks.push(task);
    },
    end: (reason) => end(reason, false),
    drained: queue.drained,
    gone() {
      if (!isEnded) settle("drop");
    },
  };
  return out;
}
