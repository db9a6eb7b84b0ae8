import { type CloseReason, TelexError } from "@telex/core";
import { type Admission, admit, type AdmissionDeps } from "./admission.ts";
import { answer } from "./answer.ts";
import type { OpenChannel } from "../channels/channel.ts";
import { failure } from "./failures.ts";
import { loginFailFrame, peekIdentifier, readFrame } from "./frames.ts";
import type { Beating } from "./heartbeat.ts";
import { createKeepalive } from "./keepalive.ts";
import type { Output } from "./outbox.ts";
import { createCommandQueue } from "./queue.ts";
import { createSender } from "./sender.ts";
import type { Socket } from "./socket.ts";
import { encodePong } from "./wire.ts";

/** What a {@link Connection} needs. */
export interface ConnectionDeps extends Omit<AdmissionDeps, "sender" | "leave" | "ping"> {
  readonly socket: Socket;
  readonly output: Output;
}

/** One connection: who is behind it, what it asks, what it is told. */
export interface Connection extends Beating {
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
function createResponder({ telex, callers, address }: Pick<ConnectionDeps, "telex" | "callers" | "address">) {
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

/** A connection over a socket that has just been opened. */
export function createConnection({ socket, output, ...options }: ConnectionDeps): Connection {
  const { telex } = options;
  const { clock, limits } = telex;
  let leaving = false;
  let open: OpenChannel | null = null;

  const sender = createSender(socket, output, telex.log);
  const respond = createResponder(options);
  const work = async (text: string | null): Promise<void> => {
    const { frame, close } = await respond({ text, late: leaving, admitted });
    if (frame !== null) sender.send(frame);
    if (close !== undefined) sender.end(close);
  };
  const { pause, resume } = socket;
  const queue = createCommandQueue({ limit: limits.commandQueue, run: work, pause, resume });
  sender.atEnd(queue.clear);
  const keepalive = createKeepalive({ sender, socket, clock, isRead: () => !queue.isFull() });
  const leave = (reason: CloseReason): void => {
    if (leaving) return;
    leaving = true;
    void queue.idle().then(() => sender.end(reason));
  };
  const admitted = admit({ ...options, sender, leave, ping: keepalive.ask }).then((admission) => {
    if (admission.as === "member") open = admission.channel;
    return admission;
  });

  return {
    receive(text) {
      if (!sender.isEnded() && !leaving) queue.push(text);
    },
    pinged(content) {
      sender.write([encodePong(content)]);
      open?.alive?.();
    },
    ponged() {
      keepalive.ponged();
      open?.alive?.();
    },
    drained: sender.drained,
    leave,
    beat: keepalive.beat,
    terminate: socket.terminate,
    gone: sender.gone,
  };
}
