import { type CloseReason, type LiveConnection, type Telex, TelexError, type TokenHolder } from "@telex/core";
import { answer } from "./answer.ts";
import type { Channel } from "./channel.ts";
import type { EventEncoder } from "./events.ts";
import { failure } from "./failures.ts";
import { loginFailFrame, readFrame } from "./frames.ts";
import type { Beating } from "./heartbeat.ts";
import type { Link } from "./link.ts";
import type { Output } from "./outbox.ts";
import { createCommandQueue } from "./queue.ts";
import { encodePing, encodePong, encodeText } from "./wire.ts";

/** Codes with which Telex closes connections (RFC 6455 7.4; from 4000 on they are ours). */
export const closeCodes = {
  token_ended: 4401,
  replaced: 4409,
  in_use: 4409,
  unregistered: 4404,
  too_slow: 1013,
  stopping: 1001,
} as const satisfies Readonly<Record<CloseReason, number>>;

/** What a {@link Session} needs. */
export interface SessionOptions {
  readonly telex: Telex;
  readonly channel: Channel;
  readonly link: Link;
  readonly output: Output;
  readonly encoder: EventEncoder;
  /** The token of the address; null where there is none. */
  readonly token: string | null;
  readonly query: URLSearchParams;
}

/** One connection: who is behind it, what it asks, what it is told. */
export interface Session extends Beating {
  /** Takes in a message: its text, or null for a binary one. */
  receive(text: string | null): void;
  /** Answers a ping. */
  pinged(content: Uint8Array): void;
  /** Takes a pong for a sign of life. */
  ponged(): void;
  /** Goes on writing. */
  drained(): void;
  /** Takes nothing more, answers what runs, then closes. */
  leave(reason: CloseReason): void;
  terminate(): void;
  /** To be called once the connection is gone. */
  closed(): void;
}

/** Who is behind a connection: somebody who may use its channel, nobody, or why that cannot be told. */
type Admission =
  | { readonly as: "member"; readonly live: LiveConnection }
  | { readonly as: "nobody" }
  | { readonly as: "unknown"; readonly error: TelexError };

const ping = encodePing();

/** The session of a connection that has just been opened. */
export function createSession(options: SessionOptions): Session {
  const { telex, channel, link, token, query } = options;
  const { clock, limits } = telex;
  let ended = false;
  let leaving = false;
  let alive = true;
  let decided = false;
  let release = (): void => {};

  /** Lets go of everything, once. True for the first time. */
  const settle = (how: "finish" | "drop"): boolean => {
    if (ended) return false;
    ended = true;
    cancelAnonymous();
    release();
    queue.clear();
    outbox[how]();
    return true;
  };
  const end = (reason: CloseReason): void => {
    if (settle(reason === "too_slow" ? "drop" : "finish")) link.close(closeCodes[reason]);
  };
  const leave = (reason: CloseReason): void => {
    if (leaving) return;
    leaving = true;
    void queue.idle().then(() => end(reason));
  };
  const outbox = options.output.open({
    socket: link.socket,
    isOpen: link.isOpen,
    overflow() {
      telex.log.warn("ws.too_slow");
      end("too_slow");
    },
  });
  const send = (text: string): void => outbox.write([encodeText(text)]);
  const cancelAnonymous = clock.after(limits.anonymousLife, () => end(decided ? "token_ended" : "too_slow"));

  const enter = (holder: TokenHolder): Admission => {
    cancelAnonymous();
    const live: LiveConnection = {
      holder,
      write: (events) => outbox.write(options.encoder.encode(events)),
      close: (reason) => (reason === "stopping" ? leave(reason) : end(reason)),
    };
    const detach = telex.attach(live);
    release = detach;
    const stop = channel.open({ telex, live, query, send });
    release = () => {
      stop();
      detach();
    };
    return { as: "member", live };
  };
  const admit = async (): Promise<Admission> => {
    try {
      const caller = await telex.authenticate(token);
      decided = true;
      const welcome = caller.kind === "token" && channel.admits(caller, query) && !ended;
      return welcome ? enter(caller) : { as: "nobody" };
    } catch (cause) {
      const error = TelexError.from(cause);
      telex.log.error("ws.admission_failed", { code: error.code, incident: error.incident }, error.cause);
      leave(error.code === "shutting_down" ? "stopping" : "too_slow");
      return { as: "unknown", error };
    }
  };
  const work = async (text: string | null): Promise<void> => {
    const late = leaving;
    const reading = readFrame(text);
    const admission = await admitted;
    const fail = (error: TelexError): string => failure(error, reading.identifier, telex.locale);
    if (admission.as === "nobody") send(loginFailFrame(reading.identifier));
    else if (admission.as === "unknown") send(fail(admission.error));
    else if (late) send(fail(new TelexError("shutting_down")));
    else send(await answer(telex, channel, admission.live, reading));
  };
  const queue = createCommandQueue({ limit: limits.commandQueue, run: work, pause: link.pause, resume: link.resume });
  const admitted = admit();

  return {
    receive(text) {
      if (!ended && !leaving) queue.push(text);
    },
    pinged: (content) => outbox.write([encodePong(content)]),
    ponged() {
      alive = true;
    },
    drained: () => outbox.drained(),
    leave,
    beat() {
      // While its socket is not read, no pong can come in.
      if (ended || queue.full) return;
      if (!alive) {
        link.terminate();
        return;
      }
      alive = false;
      outbox.write([ping]);
    },
    terminate: () => link.terminate(),
    closed: () => void settle("drop"),
  };
}
