import { STATUS_CODES } from "node:http";
import type { ErrorCode, TelexError } from "@telex/core";
import type { ByteStream } from "@telex/core/storage";
import { describeError, describeIssue, type Locale } from "@telex/core/transport";
import type { EventBody } from "../events/event-source.ts";
import { statusOf } from "../status.ts";

/** A response before it is passed to the host. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | ByteStream | EventBody | null;
}

/** Differences of a failure from the defaults of its error. */
interface FailureOptions {
  /** Instead of the status of the error code. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** True if the request had a token, so that `WWW-Authenticate` names its error. */
  readonly hadToken?: boolean;
}

/** Makes a failure in the language of its request. */
export type Refuse = (error: TelexError, options?: FailureOptions) => HttpResponse;

/**
 * The headers of every response in the envelope. Requests may carry a token in their URL (interface 5), so no cache keeps a response,
 * and no page that shows one passes its address on.
 */
export const envelopeHeaders = {
  "content-type": "application/json; charset=utf-8",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
} as const;

/** Seconds after which a repeat makes sense, if the error does not say. */
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

/** The `WWW-Authenticate` header, which names the right token (RFC 6750 3). */
function challenge(error: TelexError, hadToken: boolean): string {
  if (error.code === "insufficient_scope")
    return `Bearer realm="telex", error="insufficient_scope", scope="${error.params["scope"] ?? "chat"}"`;
  return hadToken ? 'Bearer realm="telex", error="invalid_token"' : 'Bearer realm="telex"';
}

function failureHeaders(error: TelexError, options: FailureOptions): Record<string, string> {
  const headers: Record<string, string> = { ...envelopeHeaders, ...options.headers };
  const status = statusOf[error.code];
  if (status === 401 || error.code === "insufficient_scope")
    headers["www-authenticate"] = challenge(error, options.hadToken ?? false);
  const after = error.retryAfter ?? retryAfter[error.code];
  if (after !== undefined && (status === 429 || status === 503)) headers["retry-after"] = String(Math.ceil(after));
  return headers;
}

/** A failure in the envelope: the same three fields as a success. Never contains an internal message. */
export function failure(error: TelexError, locale: Locale, options: FailureOptions = {}): HttpResponse {
  const status = options.status ?? statusOf[error.code];
  const issues = error.issues?.map((issue) => ({ path: issue.path, message: describeIssue(issue, locale) }));
  const data = { error: error.code, ...(issues !== undefined && { issues }) };
  const body = JSON.stringify({ code: status, msg: describeError(error, locale), data });
  return { status, headers: failureHeaders(error, options), body };
}

/** True for a body that is completely in memory. */
export const isBuffered = (body: NonNullable<HttpResponse["body"]>): body is string | Uint8Array =>
  typeof body === "string" || body instanceof Uint8Array;

/** True for server-sent events. */
export const isEvents = (body: NonNullable<HttpResponse["body"]>): body is EventBody =>
  typeof body === "object" && "source" in body;

/** A failure as bytes for a socket whose request never became one. The connection ends with it. */
export function toBytes({ status, headers, body }: HttpResponse): string {
  const text = typeof body === "string" ? body : "";
  const all = { ...headers, "content-length": String(Buffer.byteLength(text)), connection: "close" };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`, ...lines, "", text].join("\r\n");
}
