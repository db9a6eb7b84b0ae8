import { randomBytes } from "node:crypto";
import type { Clock } from "@telex/core";
import type { Link } from "../link/link.ts";
import type { Action, Answer } from "../wire/frames.ts";

/** Milliseconds for an implementation to answer. */
const answerTime = 30_000;

/** An action in progress. */
interface Call extends Action {
  /** The account, if one connection carries several. */
  readonly self: Readonly<Record<string, string>> | null;
}

/** The actions of an account that have no answer yet. */
export interface Calls {
  /** Writes an action, and resolves with its answer; with `lost` if the signal, the end of the connection or 30 s come first. */
  ask(link: Link | null, call: Call, signal?: AbortSignal): Promise<Answer>;
  /** Takes an answer, or the news that there will be none. An unexpected answer is dropped: an implementation may answer twice. */
  answered(echo: string, answer: Answer): void;
  /** Called when the connection is gone. */
  lost(): void;
}

const textOf = ({ action, params, self }: Call, echo: string): string =>
  JSON.stringify({ action, params, echo, ...(self !== null && { self }) });

export function createCalls(clock: Clock): Calls {
  const waiting = new Map<string, (answer: Answer) => void>();
  // No echo of an earlier process is mistaken for one of this process.
  const prefix = randomBytes(4).toString("hex");
  let count = 0;
  return {
    async ask(link, call, signal) {
      const echo = `${prefix}-${(count += 1)}`;
      const { promise, resolve } = Promise.withResolvers<Answer>();
      const giveUp = (): void => resolve({ outcome: "lost" });
      const cancel = clock.after(answerTime, giveUp);
      waiting.set(echo, resolve);
      signal?.addEventListener("abort", giveUp, { once: true });
      try {
        if (signal?.aborted === true || link?.send(textOf(call, echo)) !== true) return { outcome: "unsent" };
        return await promise;
      } finally {
        waiting.delete(echo);
        cancel();
        signal?.removeEventListener("abort", giveUp);
      }
    },
    answered: (echo, answer) => waiting.get(echo)?.(answer),
    lost() {
      for (const resolve of waiting.values()) resolve({ outcome: "lost" });
    },
  };
}
