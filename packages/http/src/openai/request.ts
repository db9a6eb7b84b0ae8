import { readMessage, readToolChoice, readTools } from "./messages.ts";
import { type Fields, isFields, mapList, readFields, theirPath } from "./fields.ts";
import {
  type FieldFates,
  type Hint,
  ignored,
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

/** A request of the OpenAI interface, in our words. */
interface CompletionRequest {
  /** The input of the operation `complete`, not checked yet. */
  readonly input: Fields;
  readonly hints: readonly Hint[];
  readonly stream: boolean;
  /** True if the stream must end with the usage. */
  readonly includeUsage: boolean;
}

/** Maximum messages in a request. */
const maxMessages = 2000;

/** Every field of `POST /v1/chat/completions`. */
export const chatFates: FieldFates = {
  ...sharedFates,
  audio: refused(),
  frequency_penalty: passed("frequencyPenalty", 0),
  function_call: refused("none"),
  functions: refused([]),
  logit_bias: refused({}),
  logprobs: refused(false),
  max_completion_tokens: read,
  max_tokens: read,
  messages: read,
  modalities: refused(["text"]),
  n: refused(1),
  prediction: refused(),
  presence_penalty: passed("presencePenalty", 0),
  reasoning_effort: passed("reasoningEffort"),
  response_format: read,
  seed: passed("seed"),
  stop: read,
  store: ignored(false),
  verbosity: passed("verbosity", "medium"),
  web_search_options: refused(),
};

const readStop = (stop: unknown): unknown => (typeof stop === "string" ? [stop] : (stop ?? undefined));

/** The limit of the reply, and the name that the caller gave it. */
function readLimit({ max_completion_tokens: completion, max_tokens: max }: Fields): Fields {
  const limitField = (completion ?? null) === null ? "max_tokens" : "max_completion_tokens";
  const maxOutputTokens = completion ?? max ?? undefined;
  return maxOutputTokens === undefined ? {} : { maxOutputTokens, limitField };
}

/** Names of participants do not reach a model. */
const nameHints = (messages: unknown): Hint[] =>
  Array.isArray(messages) &&
  messages.some((message: unknown) => isFields(message) && (message["name"] ?? null) !== null)
    ? [{ field: "messages.name" }]
    : [];

/**
 * Reads the body of `POST /v1/chat/completions`.
 * @throws TelexError `invalid_request` for a field that is not supported
 */
export function readCompletionRequest(given: unknown): CompletionRequest {
  const body = readFields(given);
  const { settings, hints } = readSettings(body, chatFates);
  const { messages, model, stream, stream_options: options } = body;
  return {
    input: {
      ...settings,
      ...readLimit(body),
      model: model ?? undefined,
      messages: mapList(messages, maxMessages, readMessage),
      responseFormat: readFormat(body["response_format"], "response_format", "json_schema"),
      stop: readStop(body["stop"]),
      tools: readTools(body["tools"]),
      toolChoice: readToolChoice(body["tool_choice"]),
    },
    hints: [...hints, ...readInner(body, "stream_options", streamFates).hints, ...nameHints(messages)],
    stream: stream === true,
    includeUsage: isFields(options) && options["include_usage"] === true,
  };
}

/** The path of a field of the operation as its sender knows it. */
export const chatPath = (path: string): string => settingName(theirPath(path), chatFates);
