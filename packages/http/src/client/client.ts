import type { ErrorCode } from "@telex/core";
import { eventsOf } from "./events.ts";
import { type CallOptions, type Client, createMethods, type Fields, type Method } from "./methods.ts";
import type { Route } from "../routes.ts";

export { assertOperatorClient } from "./methods.ts";
export type { CallOptions, Client, OperatorClient } from "./methods.ts";

/** How a client reaches Telex. */
export interface ClientOptions {
  /** The address of the service, such as `https://telex.example`, with its base path if it has one. */
  readonly url: string;
  /** Sent in the header `Authorization`. */
  readonly token?: string;
  /** The language of failures, as in `Accept-Language`. Default: that of the service. */
  readonly language?: string;
  /** Default: the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** One wrong field, as the service reports it. */
export interface ClientIssue {
  readonly path: string;
  readonly message: string;
}

/** An error response of the service. Branch on `code`, never on the text. */
export class TelexClientError extends Error {
  override readonly name = "TelexClientError";
  /** The word of the failure; `unknown` if the response is not one of Telex. */
  readonly code: ErrorCode | "unknown";
  /** The HTTP status. */
  readonly status: number;
  readonly issues: readonly ClientIssue[];
  /** Seconds after which a repeat makes sense, if the service says so. */
  readonly retryAfter: number | undefined;

  constructor(status: number, failure: Failure, retryAfter: number | undefined) {
    super(failure.msg);
    this.status = status;
    this.code = failure.data.error;
    this.issues = failure.data.issues ?? [];
    this.retryAfter = retryAfter;
  }
}

interface Failure {
  readonly msg: string;
  readonly data: { readonly error: ErrorCode | "unknown"; readonly issues?: readonly ClientIssue[] };
}

/** The path with its fields filled in, and the fields that are left. */
function fillPath(path: string, input: Fields): { readonly path: string; readonly rest: Fields } {
  const rest = { ...input };
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    delete rest[name];
    return encodeURIComponent(String(input[name]));
  });
  return { path: filled, rest };
}

function queryOf(fields: Fields): string {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(present.map(([name, value]) => [name, String(value)]));
  return present.length === 0 ? "" : `?${query.toString()}`;
}

function formOf({ file }: Fields): FormData {
  const form = new FormData();
  if (file instanceof Blob) form.set("file", file);
  return form;
}

function bodyOf(route: Route, fields: Fields): RequestInit {
  if (route.input === "query") return {};
  if (route.input === "upload") return { body: formOf(fields) };
  return { body: JSON.stringify(fields), headers: { "content-type": "application/json" } };
}

function requestOf(options: ClientOptions, route: Route, input: Fields, { signal }: CallOptions): Request {
  const { path, rest } = fillPath(route.path, input);
  const url = `${options.url.replace(/\/$/, "")}${path}${route.input === "query" ? queryOf(rest) : ""}`;
  const init = { method: route.method, ...bodyOf(route, rest), ...(signal === undefined ? {} : { signal }) };
  const request = new Request(url, init);
  if (options.token !== undefined) request.headers.set("authorization", `Bearer ${options.token}`);
  if (options.language !== undefined) request.headers.set("accept-language", options.language);
  return request;
}

function isFailure(value: unknown): value is Failure {
  if (typeof value !== "object" || value === null || !("msg" in value) || !("data" in value)) return false;
  const { data } = value;
  return typeof data === "object" && data !== null && "error" in data;
}

/**
 * The error of a response that a program has requested without a client, such as a download that it streams.
 * @param response a response with a status other than 2xx; its body is read
 */
export async function readError(response: Response): Promise<TelexClientError> {
  const body: unknown = await response.json().catch(() => null);
  const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
  return failureOf(response.status, body, Number.isNaN(retryAfter) ? undefined : retryAfter);
}

function failureOf(status: number, body: unknown, retryAfter?: number): TelexClientError {
  const unknown: Failure = { msg: `The service answered ${status}.`, data: { error: "unknown" } };
  return new TelexClientError(status, isFailure(body) ? body : unknown, retryAfter);
}

async function outputOf(route: Route, response: Response): Promise<unknown> {
  if (route.response === "stream") return response;
  if (route.response === "text")
    return { text: await response.text(), cached: response.headers.get("x-cache") === "HIT" };
  if (route.response !== "envelope") return await response.blob();
  const body: unknown = await response.json();
  if (typeof body === "object" && body !== null && "data" in body) return body.data;
  throw new TelexClientError(
    response.status,
    { msg: "The answer has no data.", data: { error: "unknown" } },
    undefined,
  );
}

async function send(request: Request, options: ClientOptions): Promise<Response> {
  const response = await (options.fetch ?? fetch)(request);
  if (!response.ok) throw await readError(response);
  return response;
}

/** A route of a plug-in, as a client calls it. */
export type PluginCall = Pick<Route, "method" | "path" | "input"> & Partial<Pick<Route, "response">>;

/** The method of a client for a route that a plug-in added with `defineRoute`; it resolves with the `Response` of a `stream`. It throws {@link TelexClientError}. */
export const createRouteMethod = (route: PluginCall, options: ClientOptions): Method =>
  createMethod({ response: "envelope", ...route, token: "header" }, options);

/** Sends the requests of one route, and reads their responses. */
const createMethod =
  (route: Route, options: ClientOptions): Method =>
  async (input = {}, callOptions = {}) => {
    const response = await send(requestOf(options, route, input, callOptions), options);
    if (route.response !== "events") return await outputOf(route, response);
    return eventsOf(response, {
      resume(lastEventId) {
        const request = requestOf(options, route, input, callOptions);
        request.headers.set("last-event-id", lastEventId);
        return send(request, options);
      },
      fail: ({ status, body }) => failureOf(status, body),
    });
  };

/** A client for the service at an address. It needs nothing but `fetch`, so it also runs in browsers. */
export const createClient = (options: ClientOptions): Client => createMethods((route) => createMethod(route, options));
