import type { ChatRequest } from "@telex/core";
import { type Dispatcher, request } from "undici";
import type { Complete, OpenAiModelOptions } from "./options.ts";
import { errorWords, networkError, ServiceError } from "./service-error.ts";

/** A service with its connections. */
export interface Service extends Pick<Complete, "url" | "key" | "timeouts" | "retries"> {
  readonly dispatcher: Dispatcher;
}

/** Bytes of a refusal that are looked at. */
const refusalSize = 16_384;
const longestWait = 5000;
const transient: ReadonlySet<number> = new Set([408, 409, 429, 500, 502, 503, 504]);

const bodyOf = (
  { model, limitField }: Required<OpenAiModelOptions>,
  { messages, maxOutputTokens }: ChatRequest,
): string =>
  JSON.stringify({
    model,
    messages,
    [limitField]: maxOutputTokens,
    stream: true,
    stream_options: { include_usage: true },
  });

/** The first bytes of a refusal as JSON; null where they are none. */
async function readRefusal(body: Dispatcher.ResponseData["body"]): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const source: AsyncIterable<Uint8Array> = body;
  for await (const bytes of source) {
    size += bytes.length;
    chunks.push(bytes);
    if (size > refusalSize) break;
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    return null;
  }
}

async function refusalOf({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<ServiceError> {
  const words = errorWords(await readRefusal(body).catch(() => null));
  const seconds = Number(headers["retry-after"]);
  return new ServiceError(`The AI service answered ${statusCode}${words}.`, {
    isTransient: transient.has(statusCode),
    retryAfter: seconds > 0 ? Math.min(seconds * 1000, longestWait) : 0,
  });
}

const isEventStream = (type: string | string[] | undefined): boolean => /^text\/event-stream\b/i.test(String(type));

/**
 * Asks a service, and gives the bytes of its stream.
 * @throws ServiceError where it cannot be reached, refuses, or answers anything but a stream
 */
export async function ask(
  { url, key, dispatcher }: Service,
  model: Required<OpenAiModelOptions>,
  asked: ChatRequest,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData["body"]> {
  const secret = await key().catch(() => {
    throw new ServiceError("The key of the AI service could not be read.");
  });
  const authorization = secret === "" ? {} : { authorization: `Bearer ${secret}` };
  const headers = { "content-type": "application/json", accept: "text/event-stream", ...authorization };
  const response = await request(url, {
    method: "POST",
    headers,
    body: bodyOf(model, asked),
    dispatcher,
    signal,
  }).catch((cause: unknown) => {
    throw networkError(cause);
  });
  // Errors of a body that nobody reads any more are nobody's.
  response.body.on("error", () => {});
  if (response.statusCode !== 200) throw await refusalOf(response);
  if (!isEventStream(response.headers["content-type"])) {
    response.body.destroy();
    throw new ServiceError("The AI service answered no event stream.");
  }
  return response.body;
}
