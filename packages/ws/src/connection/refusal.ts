import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { ErrorCode, TelexError } from "@telex/core";
import { describeError, describeIssue, type Locale } from "@telex/core/transport";

/** The statuses of errors that can reject an upgrade. */
const statuses: Partial<Readonly<Record<ErrorCode, number>>> = {
  invalid_request: 400,
  cross_origin: 403,
  not_found: 404,
  method_not_allowed: 405,
  rate_limited: 429,
  shutting_down: 503,
};

const extraHeaders: Partial<Readonly<Record<ErrorCode, readonly string[]>>> = {
  invalid_request: ["Sec-WebSocket-Version: 13"],
  method_not_allowed: ["Allow: GET"],
  rate_limited: ["Retry-After: 10"],
  shutting_down: ["Retry-After: 1"],
};

function bodyOf(error: TelexError, code: number, locale: Locale): string {
  const issues = error.issues?.map((issue) => ({ path: issue.path, message: describeIssue(issue, locale) }));
  const data = { error: error.code, ...(issues === undefined ? {} : { issues }) };
  return JSON.stringify({ code, msg: describeError(error, locale), data });
}

const headOf = (status: number, code: ErrorCode, length: number): readonly string[] => [
  `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
  "Connection: close",
  "Content-Type: application/json; charset=utf-8",
  `Content-Length: ${length}`,
  "Cache-Control: no-store",
  ...(extraHeaders[code] ?? []),
];

/** Rejects an upgrade with the envelope of a failure (interface 2.1), and disconnects. Returns the status. */
export function refuseUpgrade(socket: Duplex, error: TelexError, locale: Locale): number {
  const status = statuses[error.code] ?? 500;
  const body = bodyOf(error, status, locale);
  const head = headOf(status, error.code, Buffer.byteLength(body)).join("\r\n");
  socket.end(`${head}\r\n\r\n${body}`, () => socket.destroy());
  return status;
}
