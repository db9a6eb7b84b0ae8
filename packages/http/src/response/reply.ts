import { type ServerResponse, STATUS_CODES } from "node:http";
import { pipeline } from "node:stream/promises";
import {
  type ByteStream,
  describeError,
  describeIssue,
  type ErrorCode,
  type Locale,
  type TelexError,
} from "@telex/core";
import { FastResponse } from "srvx";
import { statusOf } from "../status.ts";

/** An answer, before it is given to the host. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | ByteStream | null;
  /** Writes the body to a Node response, whose head was written, where that is cheaper than `body`, which is left alone then. */
  readonly write?: (res: ServerResponse) => void;
}

/** What an answer can differ in from what its error says. */
export interface FailureOptions {
  /** Instead of the status of the error code. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** True where the request carried a token, so that `WWW-Authenticate` says what was wrong with it. */
  readonly hadToken?: boolean;
}

/** Makes a failure in the language of its request. */
export type Refuse = (error: TelexError, options?: FailureOptions) => Reply;

/**
 * The headers of every answer in the envelope. Requests may carry a token in their URL (interface 5), so no cache keeps
 * what they got, and no page that shows it passes its address on.
 */
export const envelopeHeaders = {
  "content-type": "application/json; charset=utf-8",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
} as const;

/** Seconds after which a repeat makes sense, where the error does not know better. */
const retryAfter: Partial<Readonly<Record<ErrorCode, number>>> = {
  rate_limited: 1,
  quota_exceeded: 3600,
  queue_full: 10,
  storage_full: 60,
  storage_unavailable: 5,
  bot_offline: 30,
  ai_unavailable: 10,
  busy: 1,
  shutting_down: 5,
};

/** A success in the envelope (interface 2.1). */
export const envelope = (data: unknown): string => JSON.stringify({ code: 200, msg: "success", data });

/** How a caller is told which token would be right (RFC 6750 3). */
function challenge(error: TelexError, hadToken: boolean): string {
  if (error.code === "insufficient_scope") {
    return `Bearer realm="telex", error="insufficient_scope", scope="${error.params["scope"] ?? "chat"}"`;
  }
  return hadToken ? 'Bearer realm="telex", error="invalid_token"' : 'Bearer realm="telex"';
}

function failureHeaders(error: TelexError, options: FailureOptions): Record<string, string> {
  const headers: Record<string, string> = { ...envelopeHeaders, ...options.headers };
  const status = statusOf[error.code];
  if (status === 401 || error.code === "insufficient_scope") {
    headers["www-authenticate"] = challenge(error, options.hadToken ?? false);
  }
  const after = error.retryAfter ?? retryAfter[error.code];
  if (after !== undefined && (status === 429 || status === 503)) headers["retry-after"] = String(Math.ceil(after));
  return headers;
}

/** A failure in the envelope: the same three fields as a success. Never holds an internal message. */
export function failure(error: TelexError, locale: Locale, options: FailureOptions = {}): Reply {
  const status = options.status ?? statusOf[error.code];
  const issues = error.issues?.map((issue) => ({ path: issue.path, message: describeIssue(issue, locale) }));
  const data = issues === undefined ? { error: error.code } : { error: error.code, issues };
  const body = JSON.stringify({ code: status, msg: describeError(error, locale), data });
  return { status, headers: failureHeaders(error, options), body };
}

const isBuffered = (body: Reply["body"]): body is string | Uint8Array =>
  typeof body === "string" || body instanceof Uint8Array;

const nativeResponse = globalThis.Response;

/**
 * The class of an answer: the fast one, or what a host has put into the place of the global `Response`, as
 * `@hono/node-server` does when it starts. The framework takes nothing else for a response from then on.
 */
const responseClass = (): typeof Response =>
  globalThis.Response === nativeResponse ? FastResponse : globalThis.Response;

/** Where a response keeps the reply that it was made of. */
const madeOf = Symbol("telex.reply");

/** The reply that a response was made of, as long as nobody has put another one in its place. */
export const replyOf = (response: Response & { readonly [madeOf]?: Reply }): Reply | undefined => response[madeOf];

/** An answer as the host takes it; to a HEAD without its body. */
export function toResponse(reply: Reply, method: string): Response {
  return Object.assign(responseOf(reply, method), { [madeOf]: reply });
}

function responseOf({ status, headers, body }: Reply, method: string): Response {
  const HostResponse = responseClass();
  const statusText = STATUS_CODES[status] ?? "";
  if (method === "HEAD" && isBuffered(body)) {
    const length = { "content-length": String(Buffer.byteLength(body)) };
    return new HostResponse(null, { status, statusText, headers: { ...headers, ...length } });
  }
  if (body === null || isBuffered(body)) return new HostResponse(body, { status, statusText, headers });
  const stream = body instanceof ReadableStream ? body : ReadableStream.from(body);
  return new HostResponse(stream, { status, statusText, headers });
}

/**
 * Writes a reply to a Node response, headers and body at once; false where its body is a stream of the web's kind, and nothing is written.
 */
export function writeReply(res: ServerResponse, { status, headers, body, write }: Reply): boolean {
  if (write !== undefined) {
    write(res.writeHead(status, headers));
    return true;
  }
  if (body instanceof ReadableStream) return false;
  if (body !== null && !isBuffered(body)) {
    // What fails on its way is cut by the pipeline, and so is what nobody reads any more.
    pipeline(body, res.writeHead(status, headers)).catch(() => {});
    return true;
  }
  const length = body === null ? {} : { "content-length": Buffer.byteLength(body) };
  res.writeHead(status, { ...headers, ...length }).end(body);
  return true;
}

/** A failure as bytes for a socket whose request never became one. The connection ends with it. */
export function toBytes({ status, headers, body }: Reply): string {
  const text = typeof body === "string" ? body : "";
  const all = { ...headers, "content-length": String(Buffer.byteLength(text)), connection: "close" };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`, ...lines, "", text].join("\r\n");
}
