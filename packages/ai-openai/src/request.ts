import type { ChatRequest } from "@telex/core";
import type { Dispatcher } from "undici";
import { bodyOf } from "./body.ts";
import type { Complete, OpenAiModelOptions } from "./options.ts";
import { errorWords, networkError, ServiceError } from "./service-error.ts";

/** A service with its connections. */
export interface Service extends Pick<Complete, "url" | "key" | "timeouts" | "retries" | "clock"> {
  readonly dispatcher: Dispatcher;
}

/** What a model of a service is asked. */
export interface Question {
  readonly model: Required<OpenAiModelOptions>;
  readonly asked: ChatRequest;
  /** Empty where the service needs none. */
  readonly key: string;
}

/** Who is told of an answer. */
export interface Receiver {
  /** The request is on its way. */
  begun(connection: Dispatcher.DispatchController): void;
  /** Bytes of the stream have come. What this throws ends the request. */
  data(bytes: Uint8Array): void;
  /** Nothing more will come. */
  over(failure: ServiceError | null): void;
}

/** Bytes of a refusal that are looked at. */
const refusalSize = 16_384;
const longestWait = 5000;
const transient: ReadonlySet<number> = new Set([408, 409, 429, 500, 502, 503, 504]);

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return null;
  }
}

/** What a service refuses with, as far as it is read. */
function createRefusal(status: number, retryAfter: unknown) {
  const chunks: Uint8Array[] = [];
  let size = 0;
  return {
    /** True once enough was read. */
    add(bytes: Uint8Array): boolean {
      chunks.push(bytes);
      size += bytes.length;
      return size > refusalSize;
    },
    error(): ServiceError {
      const seconds = Number(retryAfter);
      return new ServiceError(`The AI service answered ${status}${errorWords(parse(Buffer.concat(chunks)))}.`, {
        isTransient: transient.has(status),
        retryAfter: seconds > 0 ? Math.min(seconds * 1000, longestWait) : 0,
      });
    },
  };
}

const isEventStream = (type: string | string[] | undefined): boolean => /^text\/event-stream\b/i.test(String(type));

/** Tells a receiver of an answer; a refusal, and what is no stream, as a failure. */
function createHandler(receiver: Receiver): Dispatcher.DispatchHandler {
  let refusal: ReturnType<typeof createRefusal> | null = null;
  return {
    onRequestStart: (controller) => receiver.begun(controller),
    onResponseStart(_controller, status, headers) {
      // Before the answer there may be news of it, such as "early hints".
      if (status < 200) return;
      if (status !== 200) refusal = createRefusal(status, headers["retry-after"]);
      else if (!isEventStream(headers["content-type"])) {
        throw new ServiceError("The AI service answered no event stream.");
      }
    },
    onResponseData(_controller, bytes) {
      if (refusal === null) receiver.data(bytes);
      else if (refusal.add(bytes)) throw refusal.error();
    },
    onResponseEnd: () => receiver.over(refusal === null ? null : refusal.error()),
    onResponseError: (_controller, cause) => receiver.over(networkError(cause)),
  };
}

/** Asks a service. What comes is told as it comes, past the streams of the platform: they cost more than reading it. */
export function dispatch({ url, dispatcher }: Service, question: Question, receiver: Receiver): void {
  const authorization = question.key === "" ? {} : { authorization: `Bearer ${question.key}` };
  dispatcher.dispatch(
    {
      origin: url.origin,
      path: url.pathname + url.search,
      method: "POST",
      headers: { "content-type": "application/json", accept: "text/event-stream", ...authorization },
      body: bodyOf(question.model, question.asked),
    },
    createHandler(receiver),
  );
}
