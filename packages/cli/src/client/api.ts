import { Readable } from "node:stream";
import { Failure, messageOf, type FieldIssue } from "../errors/errors.ts";
import { fieldOf, isObject, textOf } from "../input/unknown.ts";

export interface NetworkInit {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Tokens and texts must only reach the named server. */
  readonly redirect: "error";
  readonly signal: AbortSignal;
}

/** Sends requests: `fetch`, or a wrapper. */
export type Network = (url: string, init: NetworkInit) => Promise<Response>;

export interface Call {
  readonly path: string;
  /** Sent as query parameters. */
  readonly query?: Readonly<Record<string, string | number>>;
  /** Sent as JSON with POST. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Ends the call early. */
  readonly signal?: AbortSignal;
  /** Milliseconds to wait for a response. */
  readonly timeout?: number;
}

/** The wrong fields of a rejected request, if the response names them. */
function issuesOf(data: unknown): FieldIssue[] {
  const issues = fieldOf(data, "issues");
  if (!Array.isArray(issues)) return [];
  return issues.map((issue) => ({ path: textOf(issue, "path", ""), message: textOf(issue, "message", "") }));
}

/** An error response of the server. */
export class Refusal extends Failure {
  readonly status: number;
  /** Milliseconds after which the server accepts a repeat. */
  readonly retryAfter: number | null;

  constructor(status: number, envelope: Envelope, retryAfter: number | null) {
    super(textOf(envelope.data, "error", "refused"), envelope.msg, { issues: issuesOf(envelope.data) });
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** True if the same call may succeed later. */
  get passing(): boolean {
    return this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

/** Calls the server with a token and returns the `data` of the envelope. */
export interface Api {
  /**
   * @throws Refusal for an error response
   * @throws Failure `unreachable` if there is no response
   */
  call(call: Call): Promise<unknown>;
}

/** Creates the client of a server. */
export function createApi(url: string, token: string, network: Network = fetch): Api {
  return {
    async call({ path, query = {}, body, signal, timeout = 30_000 }) {
      const address = `${url}${path}${queryOf(query)}`;
      const end = AbortSignal.any([AbortSignal.timeout(timeout), ...(signal ? [signal] : [])]);
      try {
        return await readAnswer(await network(address, initOf(token, body, end)));
      } catch (error) {
        if (error instanceof Failure) throw error;
        throw unreachable(url, error);
      }
    },
  };
}

function queryOf(query: Readonly<Record<string, string | number>>): string {
  const params = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return params.length === 0 ? "" : `?${params.join("&")}`;
}

function initOf(token: string, body: Call["body"], signal: AbortSignal): NetworkInit {
  const headers = { authorization: `Bearer ${token}`, "accept-language": "en" };
  const common = { redirect: "error", signal } as const;
  if (body === undefined) return { method: "GET", headers, ...common };
  const json = { ...headers, "content-type": "application/json" };
  return { method: "POST", headers: json, body: JSON.stringify(body), ...common };
}

async function readAnswer(response: Response): Promise<unknown> {
  const envelope: unknown = await response.json().catch(() => null);
  if (!isEnvelope(envelope)) throw noTelex(response.url);
  if (response.ok) return envelope.data;
  throw new Refusal(response.status, envelope, retryAfterOf(response));
}

/** `Retry-After` in milliseconds, or null. */
function retryAfterOf({ headers }: Response): number | null {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1000 : null;
}

interface Envelope {
  readonly code: number;
  readonly msg: string;
  readonly data: unknown;
}

const isEnvelope = (value: unknown): value is Envelope =>
  isObject(value) && "code" in value && "msg" in value && "data" in value;

/**
 * The bytes of a download.
 * @throws Refusal for an error response
 * @throws Failure `unreachable` if there is no response
 */
export async function openDownload({ url, token }: { url: string; token: string }, path: string): Promise<Readable> {
  const headers = { authorization: `Bearer ${token}`, "accept-language": "en" };
  const response = await fetch(`${url}${path}`, { headers, redirect: "error" }).catch((error: unknown) => {
    throw unreachable(url, error);
  });
  if (response.ok && response.body !== null) return Readable.fromWeb(response.body);
  await readAnswer(response);
  return Readable.from([]);
}

/** The failure of a request without a response. */
export const unreachable = (url: string, cause: unknown): Failure =>
  new Failure("unreachable", `No answer from ${url}: ${reasonOf(cause)}.`, { cause });

/** The failure of a request that another kind of server answered. */
export const noTelex = (url: string): Failure =>
  new Failure("no_telex", `${new URL(url).origin} answers, but it is not a Telex server.`);

/** The reason of a failure. The message of `fetch` itself is only "fetch failed". */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const message = messageOf(cause);
  return message === "" ? "the connection failed" : message.replace(/\.$/, "");
}
