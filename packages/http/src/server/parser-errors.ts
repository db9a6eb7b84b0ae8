import type { Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { type ErrorCode, TelexError } from "@telex/core";
import type { ServedHttp } from "./app.ts";
import { failure, toBytes } from "../response/http-response.ts";
import { writeResponse } from "../response/node.ts";

/** The codes for errors of Node's parser; any other is a malformed request. */
const parserErrors: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: "headers_too_large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "too_large",
  ERR_HTTP_REQUEST_TIMEOUT: "timeout",
};

const codeOf = (error: Error): string => ("code" in error && typeof error.code === "string" ? error.code : "");

/** The response to bytes that are not a valid request. It does not repeat them. */
function refusal(http: ServedHttp, code: ErrorCode): string {
  const params = { max: http.limits.headerSize };
  return toBytes(failure(TelexError.of(code, { params }), http.locale));
}

/** The answer to `CONNECT`, which names no address of Telex (RFC 9110 15.5.6: with the allowed methods). */
function tunnelRefusal(http: ServedHttp): string {
  const allow = "GET, HEAD, POST";
  const error = new TelexError("method_not_allowed", { params: { method: "CONNECT", allow } });
  return toBytes(failure(error, http.locale, { headers: { allow } }));
}

/** Refuses a request that HTTP does not allow (RFC 9112 3.2: without the header Host). */
export function refuseRequest(http: ServedHttp, res: ServerResponse): void {
  res.shouldKeepAlive = false;
  writeResponse(res, failure(new TelexError("invalid_request"), http.locale));
}

/** The responses that each connection waits for, in order; finished ones may be among them. */
export type Pending = WeakMap<Duplex, ServerResponse[]>;

const isWaiting = (res: ServerResponse): boolean => !res.writableFinished;

export const waitingOn = (pending: Pending, socket: Duplex): ServerResponse[] =>
  (pending.get(socket) ?? []).filter(isWaiting);

/** Notes a response. The one before has finished unless the client sends requests without waiting. */
export function noteResponse(pending: Pending, socket: Duplex, res: ServerResponse): void {
  const waiting = pending.get(socket);
  if (waiting === undefined) pending.set(socket, [res]);
  else if (waiting.some(isWaiting)) pending.set(socket, [...waiting.filter(isWaiting), res]);
  else {
    waiting.length = 1;
    waiting[0] = res;
  }
}

/** Runs once every complete request is answered: what follows on the connection cannot undo it. */
function afterWhole(pending: readonly ServerResponse[], run: () => void): void {
  const last = pending.filter(({ req }) => req.complete).at(-1);
  if (last === undefined) run();
  else last.once("finish", run);
}

/** Answers a request that the parser refuses, in its turn, and ends the connection. */
export function answerParserErrors(http: ServedHttp, server: Server, pending: Pending): void {
  server.on("clientError", (error, socket) => {
    if (!socket.writable || codeOf(error) === "ECONNRESET") {
      socket.destroy();
      return;
    }
    const waiting = waitingOn(pending, socket);
    afterWhole(waiting, () => {
      if (waiting.some((res) => res.headersSent && !res.req.complete)) socket.destroy();
      else socket.end(refusal(http, parserErrors[codeOf(error)] ?? "invalid_request"), () => socket.destroy());
    });
  });
  server.on("connect", (_req, socket: Duplex) => socket.end(tunnelRefusal(http)));
}
