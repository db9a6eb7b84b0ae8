import { randomUUID } from "node:crypto";
import { Failure } from "../errors.ts";
import { textOf } from "../unknown.ts";
import type { Destination, Dial, Frame } from "./line.ts";

/** How a conversation ended. */
export interface Ending {
  /** The WebSocket's code. */
  readonly code: number;
  readonly failure: Failure;
}

/** Commands and their answers over one WebSocket, with news in between. */
export interface Conversation {
  /**
   * Sends a command and resolves with the `data` of its answer.
   * @throws Failure `refused` with the server's sentence, `connection_ended` when the answer is not known
   */
  request(command: string, fields: Frame): Promise<unknown>;
  close(): void;
  /** Resolves when the connection has ended, by whichever side. */
  readonly ended: Promise<Ending>;
}

/**
 * Begins a conversation; frames that answer no command go to `news`.
 * @throws Failure `unreachable`
 */
export async function openConversation(
  dial: Dial,
  destination: Destination,
  news: (frame: Frame) => void,
): Promise<Conversation> {
  const pending = new Map<string, (answer: Frame) => void>();
  const { promise: ended, resolve: end } = Promise.withResolvers<Ending>();
  const line = await dial(destination, {
    frame(frame) {
      const answer = pending.get(String(frame["identifier"]));
      if (answer === undefined) news(frame);
      else answer(frame);
    },
    closed: (code, reason) => end({ code, failure: new Failure("connection_ended", whyEnded(code, reason)) }),
  });
  return {
    async request(command, fields) {
      const identifier = randomUUID();
      const { promise, resolve, reject } = Promise.withResolvers<Frame>();
      pending.set(identifier, resolve);
      ended.then(({ failure }) => reject(failure), reject);
      line.send({ identifier, command, ...fields });
      return dataOf(await promise.finally(() => pending.delete(identifier)));
    },
    close: () => line.close(),
    ended,
  };
}

function dataOf(frame: Frame): unknown {
  if (frame["code"] === 200) return frame["data"];
  throw new Failure("refused", textOf(frame, "msg", "The token is not valid."));
}

const reasons: Readonly<Record<number, string>> = {
  1001: "The server is stopping.",
  1006: "The connection broke.",
  1013: "The connection was too slow for what comes.",
  4401: "The token is not valid, or not any more.",
  4409: "Another connection of this device is open.",
};

const whyEnded = (code: number, reason: string): string =>
  reasons[code] ?? `The server ended the connection (${code}${reason === "" ? "" : `, ${reason}`}).`;
