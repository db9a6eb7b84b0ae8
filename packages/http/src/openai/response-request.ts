import type { Rename } from "./call.ts";
import { type Fields, isFields, mapList, notSupported, readFields } from "./fields.ts";
import {
  type FieldFates,
  type Hint,
  ignored,
  kept,
  passed,
  read,
  readInner,
  readSettings,
  refused,
  settingName,
  sharedFates,
  streamFates,
} from "./fates.ts";
import { readFormat } from "./format.ts";
import { readPrompt } from "./response-prompt.ts";

/** A request of `/v1/responses`, in our words. */
interface ResponseRequest {
  /** The input of the operation `complete`, not checked yet. */
  readonly input: Fields;
  readonly hints: readonly Hint[];
  /** The fields that the response repeats from its request. */
  readonly repeated: Fields;
  readonly stream: boolean;
  readonly rename: Rename;
}

/** Every field of `POST /v1/responses`. */
export const responseFates: FieldFates = {
  ...sharedFates,
  access_programs: ignored(),
  background: kept(false),
  context_management: refused([]),
  conversation: kept(),
  image: refused(),
  include: ignored([]),
  input: read,
  instructions: read,
  max_output_tokens: read,
  max_tool_calls: ignored(),
  previous_response_id: kept(),
  prompt: refused(),
  reasoning: read,
  store: kept(false),
  text: read,
  truncation: refused("disabled"),
};

/** The fields of `reasoning`. */
const reasoningFates: FieldFates = {
  context: ignored("auto"),
  effort: passed("reasoningEffort"),
  generate_summary: ignored(),
  mode: ignored("standard"),
  summary: ignored(),
};

/** The fields of `text`. */
const textFates: FieldFates = { format: read, verbosity: passed("verbosity", "medium") };

/** Maximum tools that a model is offered. */
const maxTools = 128;

function readTools(tools: unknown): unknown {
  if (Array.isArray(tools) && tools.length === 0) return undefined;
  return mapList(tools, maxTools, (tool, index) => {
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
  [/^responseFormat/, "text.format"],
  [/^reasoningEffort/, "reasoning.effort"],
  [/^verbosity/, "text.verbosity"],
];

const nameOf = (path: string): string =>
  settingName(
    names.reduce((result, [ours, theirs]) => result.replace(ours, theirs), path),
    responseFates,
  );

/** The results that `include` adds to a response. */
const logprobs = "message.output_text.logprobs";

const readAllSettings = (body: Fields) => [
  readSettings(body, responseFates),
  readInner(body, "reasoning", reasoningFates),
  readInner(body, "text", textFates),
  readInner(body, "stream_options", streamFates),
];

/**
 * Reads everything except the messages.
 * @throws TelexError `invalid_request`
 */
function readOthers(body: Fields): Pick<ResponseRequest, "input" | "hints"> {
  const all = readAllSettings(body);
  const { model, tools = [], tool_choice: choice, max_output_tokens: max, include, text } = body;
  if (Array.isArray(include) && include.includes(logprobs)) throw notSupported("include");
  const input = {
    model: model ?? undefined,
    maxOutputTokens: max ?? undefined,
    responseFormat: readFormat(isFields(text) ? text["format"] : undefined, "text.format"),
    tools: readTools(tools),
    toolChoice: readToolChoice(choice),
  };
  return {
    input: all.reduce((result, { settings }) => ({ ...result, ...settings }), input),
    hints: all.flatMap(({ hints }) => hints),
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
    reasoning: body["reasoning"] ?? null,
    temperature: body["temperature"] ?? null,
    text: body["text"] ?? { format: { type: "text" } },
    top_p: body["top_p"] ?? null,
  };
}

/**
 * Reads the body of `POST /v1/responses`.
 * @throws TelexError `invalid_request` for a field that is not supported
 */
export function readResponseRequest(given: unknown): ResponseRequest {
  const body = readFields(given);
  const { input, hints } = readOthers(body);
  const { messages, rename } = readPrompt(body);
  return {
    input: { ...input, messages },
    hints,
    repeated: repeat(body),
    stream: body["stream"] === true,
    rename: (path) => (path.startsWith("messages") ? rename(path) : nameOf(path)),
  };
}
