import type { IncomingMessage } from "node:http";
import { unlessFailed } from "@telex/core/transport";
import type { ByteStream } from "@telex/core/storage";
import { readBody, readChunks } from "./body.ts";
import { dial, type DialLimits, type OutgoingRequest } from "./dial.ts";
import { OutgoingError } from "./error.ts";
import { redirectOf } from "./redirect.ts";
import { createTargets, type Resolve } from "./target.ts";

/** Options of {@link createOutgoing}. */
export interface OutgoingOptions {
  /** `host:port` of hosts that may have addresses inside the network, such as `127.0.0.1:8080`. Default: none. */
  readonly allow?: readonly string[];
  /** Maximum milliseconds for connecting. Default 3 s. */
  readonly connectTimeout?: number;
  /** Maximum milliseconds for everything, redirects included. Default 5 s. */
  readonly timeout?: number;
  /** Maximum bytes of a response after decompression. Default 5 MiB. */
  readonly maxBytes?: number;
  /**
   * Finds the addresses of a host. Default: the resolver of the system for hosts of `allow`, and the name servers of the system for others, whose
   * names in the hosts file do not count.
   */
  readonly resolve?: Resolve;
  /** Returns a signal that aborts when the time for everything is over. Default: `AbortSignal.timeout`. */
  readonly beginTime?: (milliseconds: number) => AbortSignal;
}

/** The response of a host. */
export interface OutgoingAnswer {
  /** The HTTP status. */
  readonly status: number;
  /** The bytes of a response with status 200; empty otherwise. */
  readonly body: Uint8Array;
}

/** The response to {@link Outgoing.send}. */
export interface OutgoingResponse extends OutgoingAnswer {
  /** The first value of each header, by its name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends all requests of the process to other hosts, and never reaches the internal network. */
export interface Outgoing {
  /**
   * Fetches a URL. Its host is resolved once, every address must be public, and one of those is dialled; the same goes for
   * each of at most 3 redirects, which must stay on the host.
   * @throws OutgoingError
   */
  get(url: string): Promise<OutgoingAnswer>;
  /**
   * Opens a URL by the same rules, for a file that may be large: its bytes are streamed. A reader that stops early
   * closes the connection.
   * @param signal ends it earlier than `timeout`, also while the bytes are read
   * @throws OutgoingError `bad_status` if the status is not 200; the stream throws `too_large`, `unreadable` and `timeout`
   */
  open(url: string, signal?: AbortSignal): Promise<ByteStream>;
  /**
   * Sends a request with headers and a body of the caller by the same rules, such as one to a service that the operator has chosen. It follows
   * no redirect, and a response has its body regardless of its status.
   * @throws OutgoingError
   */
  send(url: string, request: OutgoingRequest): Promise<OutgoingResponse>;
}

const maxRedirects = 3;
/** Rejects with `timeout` when the signal comes first. */
const inTime = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  unlessFailed(work, (fail) => {
    const abort = (): void => fail(new OutgoingError("timeout"));
    signal.addEventListener("abort", abort, { once: true });
    return () => signal.removeEventListener("abort", abort);
  });

/** The target of a redirect, or null. Destroys a response that is a redirect. */
function redirectFrom(url: URL, response: IncomingMessage): URL | null {
  let isAnswer = false;
  try {
    const next = redirectOf(url, response);
    isAnswer = next === null;
    return next;
  } finally {
    if (!isAnswer) response.destroy();
  }
}

async function* readAndClose(response: IncomingMessage, max: number, signal: AbortSignal): ByteStream {
  try {
    yield* readChunks(response, max, signal);
  } finally {
    response.destroy();
  }
}

type TargetOf = ReturnType<typeof createTargets>;

/** The first response that is not a redirect. The caller destroys it. */
async function request(targetOf: TargetOf, address: string, limits: DialLimits): Promise<IncomingMessage> {
  let url = parse(address);
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const response = await dial(await inTime(targetOf(url), limits.signal), limits);
    const next = redirectFrom(url, response);
    if (next === null) return response;
    url = next;
  }
  throw new OutgoingError("bad_redirect");
}

const parse = (address: string): URL => {
  const url = URL.parse(address);
  if (url === null) throw new OutgoingError("bad_url");
  return url;
};

const headersOf = ({ headers }: IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value = ""]) => [name, typeof value === "string" ? value : (value[0] ?? "")]),
  );

/**
 * The client for outgoing requests.
 * @throws TypeError for an `allow` entry that is not a `host:port`
 */
export function createOutgoing({
  allow = [],
  connectTimeout = 3000,
  timeout = 5000,
  maxBytes = 5 * 2 ** 20,
  resolve,
  beginTime = (milliseconds) => AbortSignal.timeout(milliseconds),
}: OutgoingOptions = {}): Outgoing {
  const targetOf = createTargets(allow, resolve);
  return {
    async get(address) {
      const limits = { connectTimeout, signal: beginTime(timeout) };
      const response = await request(targetOf, address, limits);
      try {
        const status = response.statusCode ?? 0;
        return { status, body: status === 200 ? await readBody(response, maxBytes, limits.signal) : new Uint8Array() };
      } finally {
        response.destroy();
      }
    },
    async open(address, ended) {
      const late = beginTime(timeout);
      const signal = ended === undefined ? late : AbortSignal.any([late, ended]);
      const response = await request(targetOf, address, { connectTimeout, signal });
      if (response.statusCode === 200) return readAndClose(response, maxBytes, signal);
      response.destroy();
      throw new OutgoingError("bad_status");
    },
    async send(address, sent) {
      const limits = { connectTimeout, signal: beginTime(timeout) };
      const response = await dial(await inTime(targetOf(parse(address)), limits.signal), limits, sent);
      try {
        const body = await readBody(response, maxBytes, limits.signal);
        return { status: response.statusCode ?? 0, headers: headersOf(response), body };
      } finally {
        response.destroy();
      }
    },
  };
}
