import { type CloseReason, type Telex, TelexError } from "@telex/core";
import { type Admission, admit, type AdmissionOptions } from "./admission.ts";
import { answer } from "./answer.ts";
import type { OpenChannel } from "../channels/channel.ts";
import { failure } from "./failures.ts";
import { loginFailFrame, readFrame } from "./frames.ts";
import type { Beating } from "./heartbeat.ts";
import { createLine } from "./line.ts";
import type { Link } from "./link.ts";
import type { Output } from "./outbox.ts";
import { createPulse } from "./pulse.ts";
import { createCommandQueue } from "./queue.ts";
import { encodePong } from "./wire.ts";

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

/** A frame that has its turn. */
interface Turn {
  /** The text, or null for a binary one. */
  readonly text: string | null;
  /** True for one that waited when the connection was asked to leave. */
  readonly late: boolean;
  readonly admitted: Promise<Admission>;
}

/** The answer to a frame, or null where its command sends the answers itself. */
async function respond(telex: Telex, { text, late, admitted }: Turn): Promise<string | null> {
  const reading = readFrame(text);
  const fail = (error: TelexError): string => failure(error, reading.identifier, telex.locale);
  const admission = await admitted;
  if (admission.as === "nobody") return loginFailFrame(reading.identifier);
  if (admission.as === "unknown") return fail(admission.error);
  if (late) return fail(new TelexError("shutting_down"));
  const { live, channel } = admission;
  return answer({ telex, live, commands: channel.commands }, reading);
}

/** The session of a connection that has just been opened. */
export function createSession({ link, output, ...options }: SessionOptions): Session {
  const { telex } = options;
  const { clock, limits } = telex;
  let leaving = false;
  let open: OpenChannel | null = null;

  const line = createLine(link, output, telex.log);
  const work = async (text: string | null): Promise<void> => {
    const frame = await respond(telex, { text, late: leaving, admitted });
    if (frame !== null) line.send(frame);
  };
  const { pause, resume } = link;
  const queue = createCommandQueue({ limit: limits.commandQueue, run: work, pause, resume });
  line.atEnd(queue.clear);
  const pulse = createPulse({ line, link, clock, isRead: () => !queue.isFull() });
  const leave = (reason: CloseReason): void => {
    if (leaving) return;
    leaving = true;
    void queue.idle().then(() => line.end(reason));
  };
  const admitted = admit({ ...options, line, leave, ping: pulse.ask }).then((admission) => {
    if (admission.as === "member") open = admission.channel;
    return admission;
  });

  return {
    receive(text) {
      if (!line.isEnded() && !leaving) queue.push(text);
    },
    pinged(content) {
      line.write([encodePong(content)]);
      open?.alive?.();
    },
    ponged() {
      pulse.ponged();
      open?.alive?.();
    },
    drained: line.drained,
    leave,
    beat: pulse.beat,
    terminate: link.terminate,
    gone: line.gone,
  };
}
