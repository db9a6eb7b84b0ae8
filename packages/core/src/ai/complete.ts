import type { z } from "zod";
import { TelexError } from "@telex/ground/errors";
import type { AiContract, CompletionEvent } from "./contract.ts";
import type { ChatMessage, ChatModel, ReplyOptions } from "./model.ts";
import { type PromptMessage, type replyOptions, replySettings } from "./prompt.ts";
import {
  chooseModel,
  type Chosen,
  countPrompt,
  prepareQuestion,
  type ReplyDeps,
  type ReplyShape,
  streamReply,
} from "./reply.ts";

type CompleteInput = z.output<AiContract["complete"]["input"]>;

/** Replies that belong to no conversation. */
export const stateless: ReplyShape<CompletionEvent> = {
  delta: (delta) => ({ kind: "delta", delta }),
  answering: (model) => ({ kind: "answering", model }),
  toolCall: (part) => part,
  result: ({ answer, toolCalls, usage, finishReason }) => ({
    kind: "result",
    content: answer,
    toolCalls: [...toolCalls],
    finishReason: finishReason === "failed" ? "stopped" : finishReason,
    usage: { ...usage, totalTokens: usage.promptTokens + usage.completionTokens },
  }),
  turn: () => null,
};

/** A message as models take it. It has parts only if it contains pictures. */
function toMessage({ parts, content, ...message }: PromptMessage): ChatMessage {
  if (parts === undefined) return { ...message, content };
  const text = parts.map((part) => part.text ?? "").join("");
  const hasImage = parts.some(({ image }) => image !== undefined);
  return hasImage ? { ...message, content: text, parts } : { ...message, content: text };
}

/** Removes the settings that the model does not take. */
function removeOthers({ takesSettings = [] }: ChatModel, options: z.output<typeof replyOptions>): void {
  for (const setting of replySettings.keyof().options) if (!takesSettings.includes(setting)) delete options[setting];
}

export function assertTakes(
  { modelName, model }: Chosen,
  messages: readonly ChatMessage[],
  options: ReplyOptions,
  given?: string,
): void {
  const refuse = (reason: `model_without_${"images" | "tools" | "formats"}`, field: string): never => {
    throw new TelexError("invalid_request", { reason, params: { model: modelName, field } });
  };
  const withImages = messages.findIndex(({ parts }) => parts !== undefined);
  if (withImages >= 0 && model.takesImages !== true)
    refuse("model_without_images", given ?? `messages.${withImages}.parts`);
  if (options.responseFormat !== undefined && model.takesSettings?.includes("responseFormat") !== true)
    refuse("model_without_formats", "responseFormat");
  if (model.takesTools === true) return;
  if ((options.tools ?? []).length > 0) refuse("model_without_tools", "tools");
  const { toolChoice = "auto" } = options;
  if (toolChoice !== "auto" && toolChoice !== "none") refuse("model_without_tools", "toolChoice");
  const withCalls = messages.findIndex(({ role, toolCalls }) => role === "tool" || toolCalls !== undefined);
  if (withCalls >= 0) refuse("model_without_tools", `messages.${withCalls}`);
}

export function assertFits(model: ChatModel, prompt: Parameters<typeof countPrompt>[1]): void {
  const [tokens, max] = [countPrompt(model, prompt), model.contextTokens];
  if (tokens > max) throw new TelexError("invalid_request", { reason: "prompt_too_long", params: { tokens, max } });
}

/**
 * Asks a model about these messages and no others.
 * @throws TelexError `not_found`, `quota_exceeded`, `ai_unavailable`, `invalid_request` if the messages do not fit, or contain
 * something that the model does not take
 */
export async function startCompletion(
  deps: ReplyDeps,
  userId: number,
  { model, messages: history, maxOutputTokens, ...options }: CompleteInput,
  signal: AbortSignal,
): Promise<AsyncIterable<CompletionEvent>> {
  const chosen = chooseModel(deps, model ?? null, maxOutputTokens ?? null);
  const messages = history.map(toMessage);
  assertTakes(chosen, messages, options);
  removeOthers(chosen.model, options);
  assertFits(chosen.model, { messages, options });
  return streamReply(deps, await prepareQuestion(deps, userId, chosen, messages, options), stateless, signal);
}
