import type { Dispatcher } from "undici";
import { jsonOf } from "./fields.ts";
import type { Complete } from "./options.ts";
import { errorWords, networkError, ServiceError } from "./service-error.ts";

/** A service with its connections. */
export interface Service extends Pick<Complete, "url" | "key" | "timeouts" | "retries" | "clock"> {
  readonly dispatcher: Dispatcher;
}

/** A request to a service. */
export interface ServiceRequest {
  /** The path below the URL of the service, such as `/embeddings`. */
  readonly path: string;
  /** The type of a successful response. */
  readonly accept: "text/event-stream" | "application/json";
  readonly body: string;
  /** Empty if the service needs no key. */
  readonly key: string;
}

/** Receives a response. */
interface Receiver {
  /** Called when the request is sent. */
  begun(connection: Dispatcher.DispatchController): void;
  /** Called with bytes of the stream. An error that it throws ends the request. */
  data(bytes: Uint8Array): void;
  /** Called once, at the end. */
  over(failure: ServiceError | null): void;
}

/** Maximum bytes to read of a refusal. */
const refusalSize = 16_384;
const longestWait = 5000;
const transient: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/** Statuses with which services refuse the key, the model, or any request for now. Others below 500 refuse the content of the request. */
const elsewhere: ReadonlySet<number> = new Set([401, 403, 404, 408, 429]);
const isRefusal = (status: number): boolean => status >= 400 && status < 500 && !elsewhere.has(status);

const isOfType = (type: string | string[] | undefined, accept: string): boolean =>
  String(type).split(";", 1)[0]?.trim().toLowerCase() === accept;

/** Collects the beginning of a refusal and turns it into an error. */
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
      return new ServiceError(
        `The AI service answered ${status}${errorWords(jsonOf(Buffer.concat(chunks).toString("utf8")))}.`,
        {
          isTransient: transient.has(status),
          isRefusal: isRefusal(status),
          retryAfter: seconds > 0 ? Math.min(seconds * 1000, longestWait) : 0,
        },
      );
    },
  };
}

/** Passes a response on to a receiver. A refusal, or a response of another type, becomes a failure. */
function createHandler(accept: string, receiver: Receiver): Dispatcher.DispatchHandler {
  let refusal: ReturnType<typeof createRefusal> | null = null;
  return {
    onRequestStart: (controller) => receiver.begun(controller),
    onResponseStart(_controller, status, headers) {
      // Informational responses, such as "early hints", precede the actual one.
      if (status < 200) return;
      if (status !== 200) refusal = createRefusal(status, headers["retry-after"]);
      else if (!isOfType(headers["content-type"], accept))
        throw new ServiceError(`The AI service did not answer with ${accept}.`);
    },
    onResponseData(_controller, bytes) {
      if (refusal === null) receiver.data(bytes);
      else if (refusal.add(bytes)) throw refusal.error();
    },
    onResponseEnd: () => receiver.over(refusal === null ? null : refusal.error()),
    onResponseError: (_controller, cause) => receiver.over(networkError(cause)),
  };
}

/** Sends a request. The receiver gets the bytes without the platform's streams, which cost more than parsing the bytes. */
export function dispatch({ url, dispatcher }: Service, request: ServiceRequest, receiver: Receiver): void {
  const { path, accept, body, key } = request;
  const authorization = key === "" ? {} : { authorization: `Bearer ${key}` };
  dispatcher.dispatch(
    {
      origin: url.origin,
      path: url.pathname.replace(/\/$/, "") + path + url.search,
      method: "POST",
      headers: { "content-type": "application/json", accept, ...authorization },
      body,
    },
    createHandler(accept, receiver),
  );
}
