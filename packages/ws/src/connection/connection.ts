import { TelexError } from "@telex/core";
import type { CloseReason } from "@telex/core/transport";
import { type Admission, admit, type AdmissionDeps } from "./admission.ts";
import { answer, orderOf } from "./answer.ts";
import type { OpenChannel } from "../channels/channel.ts";
import { failure } from "../frames/failures.ts";
import { loginFailFrame, peekIdentifier, type Reading, readFrame } from "../frames/frames.ts";
import type { Beating } from "./heartbeat.ts";
import { createKeepalive } from "./keepalive.ts";
import type { SendQueues } from "./send-queue.ts";
import { createPipeline, type Ready } from "./pipeline.ts";
import { createSender, type Sender } from "./sender.ts";
import type { Socket } from "./socket.ts";
import { encodePong } from "./wire.ts";

interface ConnectionDeps extends Omit<AdmissionDeps, "sender" | "leave" | "ping"> {
  readonly socket: Socket;
  readonly queues: SendQueues;
}

/** One connection: its caller, its commands and its output. */
export interface Connection extends Beating {
  /** Processes a message: its text, or null for a binary one. */
  readonly receive: (text: string | null) => void;
  /** Answers a ping. */
  readonly pinged: (content: Uint8Array) => void;
  /** Notes a pong. */
  readonly ponged: () => void;
  /** Continues to write after the socket has drained. */
  readonly drained: () => void;
  /** Accepts no more commands, answers the running ones, then closes. */
  readonly leave: (reason: CloseReason) => void;
  readonly terminate: () => void;
  /** Must be called when the connection has ended. */
  readonly gone: () => void;
}

type Member = Extract<Admission, { as: "member" }>;

/** Limits for a connection before it is authenticated. */
const anonymousBounds = { frames: 16, bytes: 4096 };

/** Consecutive rate-limited commands after which a connection is closed. */
const floodLength = 100;

/** The response to a frame, and whether the connection ends with it. */
interface Outcome {
  /** Null if the command sends its results itself. */
  readonly frame: string | null;
  readonly close?: CloseReason;
}

type ResponderDeps = Pick<ConnectionDeps, "telex" | "callers" | "address" | "locale">;

/** Answers the frames of one connection. */
function createResponder({ telex, callers, address, locale }: ResponderDeps) {
  let anonymousFrames = 0;
  let refusals = 0;

  return {
    /** Rejects a frame of an unauthenticated connection without parsing all of it. */
    rejectLogin(text: string | null): Outcome {
      anonymousFrames += 1;
      const isLarge = text !== null && Buffer.byteLength(text) > anonymousBounds.bytes;
      const frame = loginFailFrame(isLarge ? peekIdentifier(text) : readFrame(text).identifier);
      return isLarge || anonymousFrames > anonymousBounds.frames ? { frame, close: "token_ended" } : { frame };
    },
    reject: (error: TelexError, text: string | null): Outcome => ({
      frame: failure(error, readFrame(text).identifier, locale),
    }),
    async run({ live, channel }: Member, reading: Reading): Promise<Outcome> {
      let isFlood = false;
      const count = (cost: number): void => {
        refusals += 1;
        isFlood = refusals > floodLength;
        callers.count(live.holder, address, cost);
        refusals = 0;
        isFlood = false;
      };
      const frame = await answer({ telex, live, locale, commands: channel.commands, count }, reading);
      return isFlood ? { frame, close: "too_many" } : { frame };
    },
  };
}

type Responder = ReturnType<typeof createResponder>;

/** Reads a frame, and decides how to answer it. */
type Prepare = (text: string | null) => Ready<Outcome>;

/** Answers each frame before it looks at the next one. */
const oneByOne =
  (run: (text: string | null) => Outcome): Prepare =>
  (text) => ({ order: "alone", run: async () => run(text) });

/** Chooses how to answer the frames of a connection when its caller is known. */
function createPrepare(responder: Responder, admission: Admission, isLeaving: () => boolean): Prepare {
  if (admission.as === "nobody") return oneByOne((text) => responder.rejectLogin(text));
  if (admission.as === "unknown") return oneByOne((text) => responder.reject(admission.error, text));
  return (text) => {
    const reading = readFrame(text);
    return {
      order: orderOf(admission.channel.commands, reading),
      run: () =>
        isLeaving()
          ? Promise.resolve(responder.reject(new TelexError("shutting_down"), text))
          : responder.run(admission, reading),
    };
  };
}

/** The commands of a connection. Their results go to its sender. */
function createCommands(socket: Socket, sender: Sender, limit: number) {
  const pipeline = createPipeline<string | null, Outcome>({
    limit,
    answer({ frame, close }) {
      if (frame !== null) sender.send(frame);
      if (close !== undefined) sender.end(close);
    },
    pause: socket.pause,
    resume: socket.resume,
  });
  sender.atEnd(pipeline.clear);
  return pipeline;
}

/** Creates a connection over an open socket. */
export function createConnection(deps: ConnectionDeps): Connection {
  const { telex, channel, encoder, token, callers, address, query, locale, socket, queues } = deps;
  const { authenticator, header } = deps;
  const { clock, limits } = telex;
  let leaving = false;
  let open: OpenChannel | null = null;

  const sender = createSender(socket, queues, telex.log);
  const pipeline = createCommands(socket, sender, limits.commandQueue);
  const keepalive = createKeepalive({ sender, socket, clock, isRead: () => !pipeline.isFull() });
  const leave = (reason: CloseReason): void => {
    if (leaving) return;
    leaving = true;
    void pipeline.idle().then(() => sender.end(reason));
  };
  const start = async (): Promise<void> => {
    const caller = { token, authenticator, header, address, query, locale };
    const admission = await admit({ telex, channel, encoder, callers, ...caller, sender, leave, ping: keepalive.ask });
    if (admission.as === "member") open = admission.channel;
    pipeline.open(createPrepare(createResponder({ telex, callers, address, locale }), admission, () => leaving));
  };
  void start();

  return {
    receive(text) {
      if (sender.isEnded() || leaving) return;
      open?.used?.();
      pipeline.push(text);
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
