import { TelexError } from "@telex/core";

/** A request of the OpenAI interface, in our words. */
export interface CompletionRequest {
  /** The input of the operation `complete`, not checked yet. */
  readonly input: { readonly model: unknown; readonly messages: unknown; readonly maxOutputTokens: unknown };
  readonly stream: boolean;
  /** True where the stream is to end with the usage. */
  readonly includeUsage: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An answer without these would not be what was asked for; whatever else is unknown is passed over. */
const unsupported: Readonly<Record<string, (value: unknown) => boolean>> = {
  audio: () => true,
  function_call: () => true,
  functions: (value) => !Array.isArray(value) || value.length > 0,
  logprobs: (value) => value !== false,
  modalities: (value) => !(Array.isArray(value) && value.every((one) => one === "text")),
  n: (value) => value !== 1,
  response_format: (value) => !(isFields(value) && value["type"] === "text"),
  stop: (value) => !Array.isArray(value) || value.length > 0,
  tools: (value) => !Array.isArray(value) || value.length > 0,
  web_search_options: () => true,
};

const notSupported = (field: string): TelexError =>
  new TelexError("invalid_request", { reason: "field_unsupported", params: { field } });

function refuseUnsupported(body: Fields): void {
  for (const [field, isAsked] of Object.entries(unsupported)) {
    const value = body[field];
    if (value !== undefined && value !== null && isAsked(value)) throw notSupported(field);
  }
}

/** Parts that the content of one message may have. */
const mostParts = 1000;
/** More messages are left as they are: the operation counts them before it looks at them, and refuses them. */
const mostMessages = 2000;

/** The text of a message whose content may come in parts. */
function textOf(content: unknown, path: string): unknown {
  if (content === null || content === undefined) return "";
  if (!Array.isArray(content)) return content;
  if (content.length > mostParts) {
    throw new TelexError("invalid_request", { issues: [{ path, problem: "too_many", params: { max: mostParts } }] });
  }
  const texts = content.map((part: unknown, index) => {
    if (isFields(part) && part["type"] === "text" && typeof part["text"] === "string") return part["text"];
    throw notSupported(`${path}.${index}`);
  });
  return texts.join("");
}

function messageOf(message: unknown, index: number): unknown {
  if (!isFields(message)) return message;
  const { role, content } = message;
  return { role: role === "developer" ? "system" : role, content: textOf(content, `messages.${index}.content`) };
}

/**
 * Reads the body of `POST /v1/chat/completions`.
 * @throws TelexError `invalid_request` for what is not supported
 */
export function readCompletionRequest(body: unknown): CompletionRequest {
  if (!isFields(body)) throw new TelexError("invalid_request", { reason: "body_not_json" });
  refuseUnsupported(body);
  const { messages, model, stream, stream_options: options } = body;
  const max = body["max_completion_tokens"] ?? body["max_tokens"] ?? undefined;
  return {
    input: {
      model: model ?? undefined,
      messages: Array.isArray(messages) && messages.length <= mostMessages ? messages.map(messageOf) : messages,
      maxOutputTokens: max,
    },
    stream: stream === true,
    includeUsage: isFields(options) && options["include_usage"] === true,
  };
}
