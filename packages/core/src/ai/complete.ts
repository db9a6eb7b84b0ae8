import type { z } from "zod";
import { TelexError } from "../errors.ts";
import { fitPrompt } from "./context.ts";
import type { AiContract, CompletionEvent } from "./contract.ts";
import type { ChatMessage } from "./model.ts";
import {
  chooseModel,
  countPrompt,
  prepareQuestion,
  type ReplyDependencies,
  type ReplyShape,
  streamReply,
} from "./reply.ts";

type CompleteInput = z.output<AiContract["complete"]["input"]>;

/** A reply of which nothing is kept. */
const stateless: ReplyShape<CompletionEvent> = {
  delta: (delta) => ({ kind: "delta", delta }),
  result: ({ answer, usage, finishReason }) => ({
    kind: "result",
    content: answer,
    finishReason: finishReason === "failed" ? "stopped" : finishReason,
    usage: { ...usage, totalTokens: usage.promptTokens + usage.completionTokens },
  }),
  keep: async () => {},
};

/** What a model is asked beside the turns before. */
export interface Asked {
  readonly model: string;
  readonly turns: readonly (readonly ChatMessage[])[];
  readonly content: string;
}

/**
 * Asks a model with as many of the turns before as fit; nothing is kept.
 * @throws TelexError `not_found`, `quota_exceeded`, `ai_unavailable`
 */
export async function askWithTurns(
  deps: ReplyDependencies,
  userId: number,
  { model, turns, content }: Asked,
  signal: AbortSignal,
): Promise<AsyncIterable<CompletionEvent>> {
  const chosen = chooseModel(deps, model, null);
  const messages = fitPrompt({ systemPrompt: null, turns, content }, chosen.model, chosen.maxOutputTokens);
  return streamReply(deps, await prepareQuestion(deps, userId, chosen, messages), stateless, signal);
}

/**
 * Asks a model about these messages and no others.
 * @throws TelexError `not_found`, `quota_exceeded`, `ai_unavailable`, `invalid_request` where the messages do not fit
 */
export async function startCompletion(
  deps: ReplyDependencies,
  userId: number,
  { model, messages, maxOutputTokens }: CompleteInput,
  signal: AbortSignal,
): Promise<AsyncIterable<CompletionEvent>> {
  const chosen = chooseModel(deps, model ?? null, maxOutputTokens ?? null);
  const { contextTokens } = chosen.model;
  const tokens = countPrompt(chosen.model, messages);
  if (tokens > contextTokens) {
    throw new TelexError("invalid_request", { reason: "prompt_too_long", params: { tokens, max: contextTokens } });
  }
  return streamReply(deps, await prepareQuestion(deps, userId, chosen, messages), stateless, signal);
}
