import { type CloseReason, TelexError } from "@telex/core";
import { admit, type AdmissionOptions } from "./admission.ts";
import { answer } from "./answer.ts";
import type { OpenChannel } from "./channel.ts";
import { failure } from "./failures.ts";
import { loginFailFrame, readFrame } from "./frames.ts";
import type { Beating } from "./heartbeat.ts";
import { createLine } from "./line.ts";
import type { Link } from "./link.ts";
import type { Output } from "./outbox.ts";
import { createPongs } from "./pongs.ts";
import { createCommandQueue } from "./queue.ts";
import { encodePing, encodePong } from "./wire.ts";

/** What a {@link Session} needs. */
export interface SessionOptions extends Omit<AdmissionOptions, "line" | "leave" | "ping"> {
  readonly link: Link;
  readonly output: Output;
}

/** One connection: who is behind it, what it asks, what it is told. */
export interface Session extends Beating {
  /** Takes in a message: its text, or null for a binary one. */
  readonly receive: (text: string | null) => void;
  /** Answers a ping. */
  readonly pinged: (content: Uint8Array) => void;
  /** Takes a pong for a sign of life. */
  readonly ponged: () => void;
  /** Goes on writing. */
  readonly drained: () => void;
  /** Takes nothing more, answers what runs, then closes. */
  readonly leave: (reason: CloseReason) => void;
  readonly terminate: () => void;
  /** To be called once the connection is gone. */
  readonly gone: () => void;
}

const ping = encodePing();

/** The session of a connection that has just been opened. */
export function createSession({ link, output, ...options }: SessionOptions): Session {
  const { telex } = options;
  const line = createLine(link, output, telex.log);
  let leaving = false;
  let alive = true;

  const work = async (text: string | null): Promise<void> => {
    const late = leaving;
    const reading = readFrame(text);
    const admission = await admitted;
    const fail = (error: TelexError): string => failure(error, reading.identifier, telex.locale);
    if (admission.as === "nobody") line.send(loginFailFrame(reading.identifier));
    else if (admission.as === "unknown") line.send(fail(admission.error));
    else if (late) line.send(fail(new TelexError("shutting_down")));
    else {
      const { live, channel } = admission;
      const text = await answer({ telex, live, commands: channel.commands }, reading);
      if (text !== null) line.send(text);
    }
  };
  const queue = createCommandQueue({
    limit: telex.limits.commandQueue,
    run: work,
    pause: link.pause,
    resume: link.resume,
  });
  line.atEnd(queue.clear);
  const leave = (reason: CloseReason): void => {
    if (leaving) return;
    leaving = true;
    void queue.idle().then(() => line.end(reason));
  };
  const pongs = createPongs(telex.clock);
  const askForPong = (wait: number): Promise<boolean> => {
    if (line.ended) return Promise.resolve(false);
    line.write([ping]);
    return pongs.next(wait);
  };
  line.atEnd(pongs.end);
  let open: OpenChannel | null = null;
  const admitted = admit({ ...options, line, leave, ping: askForPong }).then((admission) => {
    if (admission.as === "member") open = admission.channel;
    return admission;
  });

  return {
    receive(text) {
      if (!line.ended && !leaving) queue.push(text);
    },
    pinged(content) {
      line.write([encodePong(content)]);
      open?.alive?.();
    },
    ponged() {
      alive = true;
      pongs.came();
      open?.alive?.();
    },
    drained: line.drained,
    leave,
    beat() {
      // While its socket is not read, no pong can come in.
      if (line.ended || queue.full) return;
      if (!alive) {
        link.terminate();
        return;
      }
      alive = false;
      line.write([ping]);
    },
    terminate: link.terminate,
    gone: line.gone,
  };
}
