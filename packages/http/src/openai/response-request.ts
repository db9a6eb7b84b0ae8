import type { Rename } from "./call.ts";
import { assertSupported, type Fields, isFields, mapList, notSupported, readFields } from "./fields.ts";
import { notKept, readPrompt } from "./response-prompt.ts";

/** A request of `/v1/responses`, in our words. */
interface ResponseRequest {
  /** The input of the operation `complete`, not checked yet. */
  readonly input: Fields;
  /** The fields that the response repeats from its request. */
  readonly told: Fields;
  readonly stream: boolean;
  readonly rename: Rename;
}

const isAny = (): boolean => true;
const isFilled = (value: unknown): boolean => !Array.isArray(value) || value.length > 0;
const isNotFalse = (value: unknown): boolean => value !== false;

/** Fields that need a response to be kept. */
const ofKept: Readonly<Record<string, (value: unknown) => boolean>> = {
  background: isNotFalse,
  conversation: isAny,
  previous_response_id: isAny,
  store: isNotFalse,
};

const isOtherFormat = (value: unknown): boolean => {
  const format = isFields(value) ? (value["format"] ?? { type: "text" }) : value;
  return !(isFields(format) && format["type"] === "text");
};

const unsupported: Readonly<Record<string, (value: unknown) => boolean>> = {
  context_management: isFilled,
  image: isAny,
  prompt: isAny,
  text: isOtherFormat,
  truncation: (value) => value !== "disabled",
};

/** Fields that a model may ignore. */
export const ignoredResponseFields: readonly string[] = [
  ..."access_programs include max_tool_calls moderation prompt_cache_key prompt_cache_options".split(" "),
  ..."prompt_cache_retention reasoning safety_identifier service_tier stream_options temperature".split(" "),
  ..."top_logprobs top_p user".split(" "),
];

const known: ReadonlySet<string> = new Set([
  ...Object.keys(ofKept),
  ...Object.keys(unsupported),
  ...ignoredResponseFields,
  ..."input instructions max_output_tokens metadata model parallel_tool_calls stream tool_choice tools".split(" "),
]);

/** Tools that a model may be offered. */
const mostTools = 128;

function readTools(tools: unknown): unknown {
  if (Array.isArray(tools) && tools.length === 0) return undefined;
  return mapList(tools, mostTools, (tool, index) => {
    if (!isFields(tool) || tool["type"] !== "function") throw notSupported(`tools.${index}`);
    const { name, description, parameters, strict } = tool;
    const schema = parameters === undefined || parameters === null ? undefined : JSON.stringify(parameters);
    return { name, description: description ?? undefined, parameters: schema, strict };
  });
}

function readToolChoice(choice: unknown): unknown {
  if (!isFields(choice)) return choice ?? undefined;
  if (choice["type"] !== "function") throw notSupported("tool_choice");
  return { name: choice["name"] };
}

const names: readonly (readonly [ours: RegExp, theirs: string])[] = [
  [/^maxOutputTokens/, "max_output_tokens"],
  [/^toolChoice/, "tool_choice"],
  [/^parallelToolCalls/, "parallel_tool_calls"],
];

/** The input of the operation besides its messages. */
function readSettings(body: Fields): Fields {
  const { model, tools = [], tool_choice: choice, parallel_tool_calls: parallel, max_output_tokens: max } = body;
  return {
    model: model ?? undefined,
    maxOutputTokens: max ?? undefined,
    tools: readTools(tools),
    toolChoice: readToolChoice(choice),
    parallelToolCalls: parallel ?? undefined,
  };
}

/** The fields that a response repeats from its request. */
function repeat(body: Fields): Fields {
  const { instructions, metadata, tools, tool_choice: choice, parallel_tool_calls: parallel } = body;
  return {
    instructions: instructions ?? null,
    max_output_tokens: body["max_output_tokens"] ?? null,
    metadata: isFields(metadata) ? metadata : {},
    parallel_tool_calls: parallel ?? true,
    tool_choice: choice ?? "auto",
    tools: tools ?? [],
  };
}

/**
 * Reads the body of `POST /v1/responses`.
 * @throws TelexError `invalid_request` for a field that is not supported
 */
export function readResponseRequest(given: unknown): ResponseRequest {
  const body = readFields(given);
  assertSupported(body, { known, unsupported });
  assertSupported(body, { known, unsupported: ofKept }, notKept);
  const { messages, rename } = readPrompt(body);
  return {
    input: { ...readSettings(body), messages },
    told: repeat(body),
    stream: body["stream"] === true,
    rename: (path) =>
      path.startsWith("messages")
        ? rename(path)
        : names.reduce((result, [ours, theirs]) => result.replace(ours, theirs), path),
  };
}
