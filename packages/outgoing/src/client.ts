import type { IncomingMessage } from "node:http";
import { unlessFailed } from "@telex/core/transport";
import type { ByteStream } from "@telex/core/storage";
import { readBody, readChunks } from "./body.ts";
import { dial, type DialLimits } from "./dial.ts";
import { OutgoingError } from "./error.ts";
import { redirectOf } from "./redirect.ts";
import { createTargets, type Resolve, systemResolve } from "./target.ts";

/** Options of {@link createOutgoing}. */
export interface OutgoingOptions {
  /** `host:port` of hosts that may have addresses inside the network, such as `127.0.0.1:8080`. Default: none. */
  readonly allow?: readonly string[];
  /** Milliseconds until a connection stands. Default 3 s. */
  readonly connectTimeout?: number;
  /** Milliseconds for everything, redirects included. Default 5 s. */
  readonly timeout?: number;
  /** Bytes of an answer, after decompression. Default 5 MiB. */
  readonly maxBytes?: number;
  /** The addresses of a host. Default: what the system says. */
  readonly resolve?: Resolve;
  /** Begins the time that there is for everything: a signal that is aborted when it is over. Default: `AbortSignal.timeout`. */
  readonly beginTime?: (milliseconds: number) => AbortSignal;
}

/** The answer of a host. */
export interface OutgoingAnswer {
  /** The HTTP status. */
  readonly status: number;
  /** The bytes of an answer with status 200; empty otherwise. */
  readonly body: Uint8Array;
}

/** The only way out of the process: it never reaches into the network that it stands in. */
export interface Outgoing {
  /**
   * Fetches a URL. Its host is resolved once, every address must be public, and one of those is dialled; the same goes for
   * each of at most 3 redirects, which must stay on the host.
   * @throws OutgoingError
   */
  get(url: string): Promise<OutgoingAnswer>;
  /**
   * Opens a URL by the same rules, for a file that may be large: its bytes come as they are read. A reader that stops early
   * closes the connection.
   * @param signal ends it earlier than `timeout`, also while the bytes are read
   * @throws OutgoingError `bad_status` if the status is not 200; the stream throws `too_large`, `unreadable` and `timeout`
   */
  open(url: string, signal?: AbortSignal): Promise<ByteStream>;
}

const maxRedirects = 3;
/** Rejects with `timeout` when the signal comes first. */
const inTime = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  unlessFailed(work, (fail) => {
    const abort = (): void => fail(new OutgoingError("timeout"));
    signal.addEventListener("abort", abort, { once: true });
    return () => signal.removeEventListener("abort", abort);
  });

/** Where an answer redirects to, or null. Destroys it unless it is the answer. */
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

/** The first answer that is not a redirect. The caller destroys it. */
async function request(targetOf: TargetOf, address: string, limits: DialLimits): Promise<IncomingMessage> {
  let url = URL.parse(address);
  if (url === null) throw new OutgoingError("bad_url");
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const response = await dial(await inTime(targetOf(url), limits.signal), limits);
    const next = redirectFrom(url, response);
    if (next === null) return response;
    url = next;
  }
  throw new OutgoingError("bad_redirect");
}

/**
 * The client for outgoing requests.
 * @throws TypeError for an `allow` entry that is no `host:port`
 */
export function createOutgoing({
  allow = [],
  connectTimeout = 3000,
  timeout = 5000,
  maxBytes = 5 * 2 ** 20,
  resolve = systemResolve,
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
  };
}
