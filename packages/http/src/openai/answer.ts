import { randomBytes } from "node:crypto";
import { TelexError } from "@telex/core";
import type { ReplyEvent } from "./complete.ts";
import type { Answer } from "./streamed.ts";

/** A reply of a model that has been asked. */
interface Completion {
  readonly model: () => string;
  readonly events: AsyncIterable<ReplyEvent>;
  readonly stream: boolean;
  readonly includeUsage: boolean;
  /** Stops the model. */
  readonly abort: () => void;
}

type Result = Extract<ReplyEvent, { readonly kind: "result" }>;

const usageOf = ({ usage }: Result) => ({
  prompt_tokens: usage.promptTokens,
  completion_tokens: usage.completionTokens,
  total_tokens: usage.totalTokens,
  // Left out if the model does not report them.
  prompt_tokens_details: usage.cachedTokens === undefined ? undefined : { cached_tokens: usage.cachedTokens },
  completion_tokens_details:
    usage.reasoningTokens === undefined ? undefined : { reasoning_tokens: usage.reasoningTokens },
});

/** A stopped reply counts as cut short: no stop text of the caller ended it. */
const finishOf = ({ finishReason }: Result): string => (finishReason === "stopped" ? "length" : finishReason);

const headOf = (object: string, now: number) => ({
  id: `chatcmpl-${randomBytes(12).toString("base64url")}`,
  object,
  created: Math.floor(now / 1000),
});

const lines = (data: object | string): string => `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;

const callOf = ({ id, name, arguments: text }: Result["toolCalls"][number]) => ({
  id,
  type: "function",
  function: { name, arguments: text },
});

/** A reply as a message. A reply that consists only of calls has no content. */
function messageOf({ content, toolCalls }: Result) {
  const calls = toolCalls.length === 0 ? {} : { tool_calls: toolCalls.map(callOf) };
  const text = content === "" && toolCalls.length > 0 ? null : content;
  return { role: "assistant", content: text, refusal: null, ...calls };
}

type Piece = Exclude<ReplyEvent, Result>;

/** The `delta` of a chunk for a piece. */
function deltaOf(piece: Piece): object {
  if (piece.kind === "delta") return { content: piece.delta };
  const { index, id, name, arguments: text } = piece;
  const head = id === undefined ? {} : { id, type: "function" };
  return { tool_calls: [{ index, ...head, function: { ...(name !== undefined && { name }), arguments: text } }] };
}

/** The complete response. */
async function wholeAnswer({ model, events }: Completion, now: number): Promise<string> {
  for await (const event of events) {
    if (event.kind !== "result") continue;
    const choice = { index: 0, message: messageOf(event), logprobs: null, finish_reason: finishOf(event) };
    return JSON.stringify({
      ...headOf("chat.completion", now),
      model: model(),
      choices: [choice],
      usage: usageOf(event),
    });
  }
  throw new TelexError("ai_unavailable");
}

/** Writes the chunks of one streamed answer. */
function createChunkWriter({ model, includeUsage }: Completion, now: number) {
  const unused = includeUsage ? { usage: null } : {};
  const fixed = headOf("chat.completion.chunk", now);
  return {
    chunk(delta: object, finish: string | null): string {
      const choice = { index: 0, delta, logprobs: null, finish_reason: finish };
      return lines({ ...fixed, model: model(), choices: [choice], ...unused });
    },
    usage: (result: Result): string =>
      includeUsage ? lines({ ...fixed, model: model(), choices: [], usage: usageOf(result) }) : "",
  };
}

/** The texts of the events of a streamed answer. */
async function* chunks(completion: Completion, now: number): AsyncGenerator<string> {
  const writer = createChunkWriter(completion, now);
  let isFirst = true;
  for await (const event of completion.events) {
    const lead = isFirst ? writer.chunk({ role: "assistant", content: "" }, null) : "";
    isFirst = false;
    if (event.kind !== "result") yield lead + writer.chunk(deltaOf(event), null);
    else yield lead + writer.chunk({}, finishOf(event)) + writer.usage(event) + lines("[DONE]");
  }
}

/** A reply in the form of chat completions. `now`: Unix milliseconds. */
export const createChatAnswer = (completion: Completion, now: number): Answer => ({
  isStream: completion.stream,
  abort: completion.abort,
  whole: () => wholeAnswer(completion, now),
  texts: () => chunks(completion, now),
  failed: lines,
});
