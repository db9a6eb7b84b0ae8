import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider";
import { type ChatModel, type ChatPart, type ChatRequest, TelexError } from "@telex/core";
import { MockLanguageModelV4 } from "ai/test";
import { type AiSdkModelOptions, type AiSdkOptions, createAiSdkModel } from "../src/index.ts";

type Doing = ConstructorParameters<typeof MockLanguageModelV4>[0];

/** The usage of a provider that reports all of it. */
export const usage: LanguageModelV4Usage = {
  inputTokens: { total: 11, noCache: 3, cacheRead: 8, cacheWrite: undefined },
  outputTokens: { total: 4, text: 1, reasoning: 3 },
};

export const finish = (unified: "stop" | "length" | "content-filter" | "tool-calls" | "error" | "other" = "stop") =>
  ({ type: "finish", usage, finishReason: { unified, raw: undefined } }) as const satisfies LanguageModelV4StreamPart;

export const textOf = (...deltas: readonly string[]): LanguageModelV4StreamPart[] => [
  { type: "stream-start", warnings: [] },
  { type: "text-start", id: "1" },
  ...deltas.map((delta) => ({ type: "text-delta", id: "1", delta }) as const),
];

/** A stream of these parts, which then ends or stays open. */
export const streamOf = (parts: readonly LanguageModelV4StreamPart[], end: "ends" | "stays open" = "ends") => ({
  stream: new ReadableStream<LanguageModelV4StreamPart>({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      if (end === "ends") controller.close();
    },
  }),
});

/** A test model of the SDK. */
export const mockOf = (doStream: NonNullable<Doing>["doStream"]): MockLanguageModelV4 =>
  new MockLanguageModelV4(doStream === undefined ? {} : { doStream });

export const modelOf = (
  model: AiSdkModelOptions["model"],
  options: AiSdkOptions = {},
  more: Partial<AiSdkModelOptions> = {},
): ChatModel => createAiSdkModel({ model, contextTokens: 8000, maxOutputTokens: 1000, ...more }, options);

/** Reads a whole reply. */
export async function read(model: ChatModel, request: Partial<ChatRequest> = {}): Promise<ChatPart[]> {
  const parts: ChatPart[] = [];
  const messages = [{ role: "user", content: "hello" }] as const;
  const asked = { messages, maxOutputTokens: 100, signal: new AbortController().signal, ...request };
  for await (const part of model.reply(asked)) parts.push(part);
  return parts;
}

/** The cause of a failed reply: the code for the caller, and the text for the log. */
export const causeOf = (reply: Promise<unknown>): Promise<unknown> =>
  reply.then(
    () => "it succeeded",
    (error: unknown) =>
      TelexError.is(error) && error.cause instanceof Error ? [error.code, error.cause.message] : error,
  );
