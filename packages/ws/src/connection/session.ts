import { type CloseReason, TelexError } from "@telex/core";
import { type Admission, admit, type AdmissionOptions } from "./admission.ts";
import { answer } from "./answer.ts";
import type { OpenChannel } from "../channels/channel.ts";
import { failure } from "./failures.ts";
import { loginFailFrame, peekIdentifier, readFrame } from "./frames.ts";
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

/** Bounds of what a connection that is not signed in may send. */
const anonymousBounds = { frames: 16, bytes: 4096 };

/** Commands refused for their rate, one after another, after which a connection is closed. */
const floodLength = 100;

/** What a frame is answered with, and whether that is the last frame. */
interface Outcome {
  /** Null if the command sends its results itself. */
  readonly frame: string | null;
  readonly close?: CloseReason;
}

/** Answers the frames of one connection, in order. */
function createResponder({ telex, callers, address }: Pick<SessionOptions, "telex" | "callers" | "address">) {
  let anonymousFrames = 0;
  let refusals = 0;

  /** A frame of a connection that is not signed in costs little, whatever is in it. */
  const rejectLogin = (text: string | null): Outcome => {
    anonymousFrames += 1;
    const isLarge = text !== null && Buffer.byteLength(text) > anonymousBounds.bytes;
    const identifier = isLarge ? peekIdentifier(text) : readFrame(text).identifier;
    const frame = loginFailFrame(identifier);
    return isLarge || anonymousFrames > anonymousBounds.frames ? { frame, close: "token_ended" } : { frame };
  };
  const run = async (admission: Extract<Admission, { as: "member" }>, text: string | null): Promise<Outcome> => {
    const { live, channel } = admission;
    const count = (cost: number): void => {
      refusals += 1;
      callers.count(live.holder, address, cost);
      refusals = 0;
    };
    const frame = await answer({ telex, live, commands: channel.commands, count }, readFrame(text));
    return refusals > floodLength ? { frame, close: "too_many" } : { frame };
  };
  return async ({ text, late, admitted }: Turn): Promise<Outcome> => {
    const admission = await admitted;
    if (admission.as === "nobody") return rejectLogin(text);
    if (admission.as === "member" && !late) return await run(admission, text);
    const error = admission.as === "unknown" ? admission.error : new TelexError("shutting_down");
    return { frame: failure(error, readFrame(text).identifier, telex.locale) };
  };
}

/** The session of a connection that has just been opened. */
export function createSession({ link, output, ...options }: SessionOptions): Session {
  const { telex } = options;
  const { clock, limits } = telex;
  let leaving = false;
  let open: OpenChannel | null = null;

  const line = createLine(link, output, telex.log);
  const respond = createResponder(options);
  const work = async (text: string | null): Promise<void> => {
    const { frame, close } = await respond({ text, late: leaving, admitted });
    if (frame !== null) line.send(frame);
    if (close !== undefined) line.end(close);
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
