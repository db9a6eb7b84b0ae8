import { readMessage, readToolChoice, readTools } from "./messages.ts";
import { assertSupported, type Fields, isFields, mapList, readFields } from "./fields.ts";

/** A request of the OpenAI interface, in our words. */
interface CompletionRequest {
  /** The input of the operation `complete`, not checked yet. */
  readonly input: Fields;
  readonly stream: boolean;
  /** True where the stream is to end with the usage. */
  readonly includeUsage: boolean;
}

/** Messages that a request may have. */
const mostMessages = 2000;

const isAny = (): boolean => true;
const isFilled = (value: unknown): boolean => !Array.isArray(value) || value.length > 0;

/** Fields that Telex cannot ignore, each with the condition under which it changes the reply. */
const unsupported: Readonly<Record<string, (value: unknown) => boolean>> = {
  audio: isAny,
  function_call: isAny,
  functions: isFilled,
  logprobs: (value) => value !== false,
  modalities: (value) => !(Array.isArray(value) && value.every((one) => one === "text")),
  n: (value) => value !== 1,
  response_format: (value) => !(isFields(value) && value["type"] === "text"),
  web_search_options: isAny,
};

/** Fields that a model may ignore. */
export const ignoredFields: readonly string[] = [
  ..."frequency_penalty logit_bias presence_penalty seed temperature top_logprobs top_p".split(" "),
  ..."metadata moderation prediction prompt_cache_key prompt_cache_retention reasoning_effort".split(" "),
  ..."safety_identifier service_tier store user verbosity".split(" "),
];

/** The fields of the interface. */
const known: ReadonlySet<string> = new Set([
  ...Object.keys(unsupported),
  ...ignoredFields,
  ..."messages model max_tokens max_completion_tokens stream stream_options stop".split(" "),
  ..."tools tool_choice parallel_tool_calls".split(" "),
]);

const readStop = (stop: unknown): unknown => (typeof stop === "string" ? [stop] : (stop ?? undefined));

/**
 * Reads the body of `POST /v1/chat/completions`.
 * @throws TelexError `invalid_request` for a field that is not supported
 */
export function readCompletionRequest(given: unknown): CompletionRequest {
  const body = readFields(given);
  assertSupported(body, { known, unsupported });
  const { messages, model, stream, stream_options: options, parallel_tool_calls: parallelToolCalls } = body;
  return {
    input: {
      model: model ?? undefined,
      messages: mapList(messages, mostMessages, readMessage),
      maxOutputTokens: body["max_completion_tokens"] ?? body["max_tokens"] ?? undefined,
      stop: readStop(body["stop"]),
      tools: readTools(body["tools"]),
      toolChoice: readToolChoice(body["tool_choice"]),
      parallelToolCalls: parallelToolCalls ?? undefined,
    },
    stream: stream === true,
    includeUsage: isFields(options) && options["include_usage"] === true,
  };
}
