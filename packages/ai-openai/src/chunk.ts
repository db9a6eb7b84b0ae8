import type { ChatUsage, ModelFinish, ToolCallPart } from "@telex/core";
import { field, isCount } from "./fields.ts";
import { errorWords, readJson, ServiceError } from "./service-error.ts";

/** The content of one event of a stream. */
export interface Chunk {
  readonly delta: string;
  readonly calls: readonly ToolCallPart[];
  /** True if the model made progress, including thoughts, which are not passed on. */
  readonly isProgress: boolean;
  readonly finish: ModelFinish | null;
  readonly usage: Omit<ChatUsage, "estimated"> | null;
  /** True for the event that ends a stream. */
  readonly isLast: boolean;
}

const finishes: Readonly<Record<string, ModelFinish>> = {
  length: "length",
  max_tokens: "length",
  content_filter: "content_filter",
  tool_calls: "tool_calls",
};

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The fields in which services send the reasoning that precedes an answer. */
const thoughts = ["reasoning_content", "reasoning"];

const counted = (name: "cachedTokens" | "reasoningTokens", value: unknown) => (isCount(value) ? { [name]: value } : {});

function usageOf(usage: unknown): Chunk["usage"] {
  const [promptTokens, completionTokens] = [field(usage, "prompt_tokens"), field(usage, "completion_tokens")];
  if (!isCount(promptTokens) || !isCount(completionTokens)) return null;
  const cached = field(field(usage, "prompt_tokens_details"), "cached_tokens");
  const reasoning = field(field(usage, "completion_tokens_details"), "reasoning_tokens");
  const details = { ...counted("cachedTokens", cached), ...counted("reasoningTokens", reasoning) };
  return { promptTokens, completionTokens, ...details };
}

/** The maximum number of tool calls in a reply. */
const mostCalls = 128;

const named = (name: string, value: unknown): object =>
  typeof value === "string" && value !== "" ? { [name]: value } : {};

/** The parts of tool calls in a delta. Empty parts, and those with an index above the limit, are ignored. */
function callsOf(delta: unknown): ToolCallPart[] {
  const calls = field(delta, "tool_calls");
  if (!Array.isArray(calls)) return [];
  return calls.slice(0, mostCalls).flatMap((call: unknown, at): ToolCallPart[] => {
    // Services that send whole calls omit the index.
    const index = field(call, "index") ?? at;
    if (typeof index !== "number" || !Number.isInteger(index) || index < 0 || index >= mostCalls) return [];
    const called = field(call, "function");
    const text = textOf(field(called, "arguments"));
    const head = { ...named("id", field(call, "id")), ...named("name", field(called, "name")) };
    if (text === "" && Object.keys(head).length === 0) return [];
    return [{ kind: "tool_call", index, ...head, arguments: text }];
  });
}

/**
 * Reads one event.
 * @throws ServiceError if the event does not have the form of the interface, or reports an error
 */
export function readChunk(data: string): Chunk {
  const body = readJson(data, "an event");
  const error = field(body, "error");
  if (error !== undefined && error !== null)
    throw new ServiceError(`The AI service broke off${errorWords(body)}.`, { isTransient: true });
  const choices = field(body, "choices");
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const delta = field(choice, "delta");
  const content = textOf(field(delta, "content"));
  const calls = callsOf(delta);
  const finish = field(choice, "finish_reason");
  return {
    delta: content,
    calls,
    isProgress: content !== "" || calls.length > 0 || thoughts.some((name) => textOf(field(delta, name)) !== ""),
    finish: typeof finish === "string" ? (finishes[finish] ?? "stop") : null,
    usage: usageOf(field(body, "usage")),
    isLast: false,
  };
}
