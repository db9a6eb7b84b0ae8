import http, { type ClientRequest, type IncomingMessage } from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { OutgoingError, outgoingErrorOf } from "./error.ts";
import type { Target } from "./target.ts";

/** The headers of every request. */
const ownHeaders = { "accept-encoding": "gzip, br", "user-agent": "telex" };

/** A request with headers and a body of the caller's own. */
export interface OutgoingRequest {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

const download: OutgoingRequest = { method: "GET", headers: { accept: "image/*,*/*;q=0.5" } };

/** Returns the checked addresses, even if the name has others by now. */
function pinned(addresses: readonly string[]): LookupFunction {
  const entries = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, { all }, callback) => {
    if (all === true) callback(null, entries);
    else callback(null, entries[0]?.address ?? "", entries[0]?.family);
  };
}

/** Ends a request that has no connection after `limit` milliseconds. */
function boundConnecting(request: ClientRequest, event: "connect" | "secureConnect", limit: number): void {
  const timer = setTimeout(() => request.destroy(new OutgoingError("timeout")), limit);
  const stop = (): void => clearTimeout(timer);
  request.once("socket", (socket) => socket.once(event, stop)).once("close", stop);
}

/** The limits of a request. */
export interface DialLimits {
  /** Maximum milliseconds for connecting, TLS included. */
  readonly connectTimeout: number;
  /** Aborted when all of it takes too long. */
  readonly signal: AbortSignal;
}

/**
 * Sends one request on its own connection to a checked address. The caller destroys the response.
 * @param sent default: a GET without headers of a caller
 * @throws OutgoingError `unreachable`, `timeout`
 */
export async function dial(
  { url, addresses }: Target,
  { connectTimeout, signal }: DialLimits,
  { method, headers: fields, body }: OutgoingRequest = download,
): Promise<IncomingMessage> {
  const secure = url.protocol === "https:";
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const own = { agent: false, lookup: pinned(addresses), maxHeaderSize: 16 * 1024 };
  const headers = { ...fields, ...ownHeaders };
  const request = (secure ? https : http).request(url, { ...own, method, headers, signal });
  boundConnecting(request, secure ? "secureConnect" : "connect", connectTimeout);
  request.once("response", resolve).on("error", reject).end(body);
  return await promise.catch((error: unknown) => {
    throw outgoingErrorOf(error, signal.aborted ? "timeout" : "unreachable");
  });
}
