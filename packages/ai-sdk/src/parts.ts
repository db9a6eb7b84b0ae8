import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider";
import type { ChatPart, ChatRequest, ChatUsage, ModelFinish } from "@telex/core";
import { failureOf, ProviderError } from "./failure.ts";
import { countTokens } from "./tokens.ts";

/** The maximum number of tool calls in a reply. */
const maxCalls = 128;
/** Maximum UTF-16 units for each token. A provider that sends more has miscounted. */
const unitsPerToken = 32;
/** Maximum number of consecutive parts without a piece of the reply or of its reasoning. */
const maxEmpty = 10_000;

const mostTokens = 1_000_000_000;

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && value < mostTokens;

const finishes: Readonly<Record<string, ModelFinish>> = {
  length: "length",
  "content-filter": "content_filter",
  "tool-calls": "tool_calls",
};

/** The usage that the provider reports, or null. */
function reportedUsage({ inputTokens, outputTokens }: LanguageModelV4Usage): ChatUsage | null {
  const { total: promptTokens, cacheRead } = inputTokens;
  const { total: completionTokens, reasoning } = outputTokens;
  if (!isCount(promptTokens) || !isCount(completionTokens)) return null;
  const cached = isCount(cacheRead) ? { cachedTokens: cacheRead } : {};
  return {
    promptTokens,
    completionTokens,
    ...cached,
    ...(isCount(reasoning) && { reasoningTokens: reasoning }),
    estimated: false,
  };
}

/** Calls of tools by the ID that the provider gives them. */
function createCalls() {
  const indexes = new Map<string, number>();
  return {
    find: (id: string): number | undefined => indexes.get(id),
    /** The index of a new call, or undefined if there are too many. */
    begin(id: string): number | undefined {
      if (indexes.size >= maxCalls) return undefined;
      indexes.set(id, indexes.size);
      return indexes.size - 1;
    },
  };
}

/** Reads the parts of one reply. */
export interface PartReader {
  /**
   * The piece of the reply in a part of the stream, or null.
   * @throws ProviderError if the part reports a failure, or if too many parts are empty
   */
  read(part: LanguageModelV4StreamPart): ChatPart | null;
  /** True after the end of the reply. */
  readonly isOver: () => boolean;
}

type Part<T extends LanguageModelV4StreamPart["type"]> = Extract<LanguageModelV4StreamPart, { readonly type: T }>;

/** The progress of a model that only thinks also counts. */
const isProgress = ({ type }: LanguageModelV4StreamPart): boolean => type === "reasoning-delta" || type === "ping";

export function createPartReader({ messages, maxOutputTokens }: ChatRequest): PartReader {
  const calls = createCalls();
  const most = maxOutputTokens * unitsPerToken;
  let [answer, empty, isOver] = ["", 0, false];
  const estimate = (): ChatUsage => ({
    promptTokens: messages.reduce((sum, { content }) => sum + countTokens(content), 0),
    completionTokens: countTokens(answer),
    estimated: true,
  });
  const end = (finishReason: ModelFinish, usage: ChatUsage | null): ChatPart => {
    isOver = true;
    return { kind: "end", finishReason, usage: usage ?? estimate() };
  };
  const begin = (id: string, name: string, text: string): ChatPart | null => {
    const index = calls.begin(id);
    answer += name + text;
    return index === undefined ? null : { kind: "tool_call", index, id, name, arguments: text };
  };
  const more = ({ id, delta }: Part<"tool-input-delta">): ChatPart | null => {
    const index = calls.find(id);
    answer += delta;
    return index === undefined || delta === "" ? null : { kind: "tool_call", index, arguments: delta };
  };
  const finish = ({ finishReason, usage }: Part<"finish">): ChatPart => {
    const { unified } = finishReason;
    if (unified === "error" || unified === "interrupted") throw new ProviderError("The provider broke off.");
    return end(finishes[unified] ?? "stop", reportedUsage(usage));
  };
  const pieceOf = (part: LanguageModelV4StreamPart): ChatPart | null => {
    switch (part.type) {
      case "text-delta":
        answer += part.delta;
        return part.delta === "" ? null : { kind: "delta", delta: part.delta };
      case "tool-input-start":
        return part.providerExecuted === true ? null : begin(part.id, part.toolName, "");
      case "tool-input-delta":
        return more(part);
      case "tool-call":
        // Whole calls, of providers that do not send them piece by piece.
        if (part.providerExecuted === true || calls.find(part.toolCallId) !== undefined) return null;
        return begin(part.toolCallId, part.toolName, part.input);
      case "finish":
        return finish(part);
      case "error":
        throw failureOf(part.error);
      default:
        return null;
    }
  };
  return {
    isOver: () => isOver,
    read(part) {
      if (answer.length > most) return end("length", null);
      const piece = pieceOf(part);
      empty = piece === null && !isProgress(part) ? empty + 1 : 0;
      if (empty > maxEmpty) throw new ProviderError("The provider sends no pieces.");
      return piece;
    },
  };
}
