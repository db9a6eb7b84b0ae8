import { type Clock, type Telex, type ToolAnswers } from "@telex/core";
import { LRUCache } from "lru-cache";
import { answerTime } from "./bounds.ts";

type Answer = Parameters<ToolAnswers["answer"]>[0];

interface Waiting {
  readonly userId: number;
  readonly resolve: (allow: boolean) => void;
}

/** The answers of people, on this server and on others. */
export interface WaitingAnswers extends ToolAnswers {
  /** True if the person allows the call. No answer within 60 s is a refusal, and so is the end of the reply. */
  wait(question: { readonly userId: number; readonly callId: string; readonly signal: AbortSignal }): Promise<boolean>;
  /** Exchanges answers with other servers. */
  join(telex: Pick<Telex, "remoteReplies">): void;
}

/** How servers ask each other: the name of a reply that no model gives. */
const remoteName = /^tool:([01]):(.{1,128})$/u;

/** The answers that are waited for. */
export function createAnswers(clock: () => Clock): WaitingAnswers {
  const waiting = new Map<string, Waiting>();
  /** Other servers ask again while they get no answer. */
  const taken = new LRUCache<string, number>({ max: 1000 });
  let remote: Telex["remoteReplies"] | null = null;
  const take = ({ userId, callId, allow }: Answer): boolean => {
    const one = waiting.get(callId);
    if (one?.userId !== userId) return false;
    waiting.delete(callId);
    one.resolve(allow);
    return true;
  };
  const takeFor = (userId: number, reply: string): boolean => {
    const [, allow, callId] = remoteName.exec(reply) ?? [];
    if (callId === undefined) return false;
    if (taken.get(reply) === userId) return true;
    const isTaken = take({ userId, callId, allow: allow === "1" });
    if (isTaken) taken.set(reply, userId);
    return isTaken;
  };
  const askOthers = async ({ userId, callId, allow }: Answer): Promise<boolean> => {
    const left = new AbortController();
    const texts = await remote?.read({ reply: `tool:${allow ? 1 : 0}:${callId}`, userId, after: 0 }, left.signal);
    left.abort();
    return texts !== undefined && texts !== null;
  };
  return {
    answer: async (answer) => take(answer) || (answer.here !== true && (await askOthers(answer))),
    wait({ userId, callId, signal }) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      waiting.get(callId)?.resolve(false);
      const refuse = (): void => resolve(false);
      const one = { userId, resolve };
      waiting.set(callId, one);
      const calm = clock().after(answerTime, refuse);
      signal.addEventListener("abort", refuse, { once: true });
      return promise.finally(() => {
        calm();
        signal.removeEventListener("abort", refuse);
        if (waiting.get(callId) === one) waiting.delete(callId);
      });
    },
    join({ remoteReplies }) {
      remote = remoteReplies;
      const nothing = { texts: [], isOver: true };
      remoteReplies.offer(({ reply, userId }) => Promise.resolve(takeFor(userId, reply) ? nothing : null));
    },
  };
}
