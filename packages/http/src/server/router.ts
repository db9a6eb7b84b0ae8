import { TelexError } from "@telex/core";
import type { Locale } from "@telex/core/transport";
import type { HTTPError } from "h3";
import type { Exchange } from "../exchange/exchange.ts";
import type { Endpoint } from "../endpoints/operations.ts";
import type { HttpTelex } from "../limits.ts";
import type { HttpResponse, Refuse } from "../response/http-response.ts";
import { refuserOf } from "../response/refuser.ts";
import type { Route } from "../routes.ts";
import type { Cors } from "./cors.ts";
import { createHosting, type Hosting } from "./h3.ts";
import type { HostDeps } from "./pass-on.ts";
import type { ObserveHandle } from "./observed.ts";
import { createPaths, type Handle, type Paths } from "./paths.ts";

/** A method that a path can take. */
export type Method = "HEAD" | Route["method"];

/** Answers an exchange, or refuses it in the form of its path. */
export type Answer = (exchange: Exchange, refuse: Refuse) => HttpResponse | Promise<HttpResponse>;

/** How the responses of a path look. */
interface PathOptions {
  /** Makes its failures. Default: those of the envelope. */
  readonly refuser?: Endpoint["refuser"];
  /** The language of callers who name none. Default: that of the instance. */
  readonly locale?: Locale;
  /** Default: the CORS of the router. */
  readonly cors?: Cors;
}

/** Adds paths to the router, or to the framework behind it. */
export interface PathSet {
  /** Adds a path with the handlers of its methods; others are refused with 405. */
  readonly add: (path: string, handlers: ReadonlyMap<Method, Handle>, options?: PathOptions) => void;
  /** Adds a path with one handler for GET and HEAD. */
  readonly read: (path: string, answer: Answer, options?: PathOptions) => void;
}

/** The paths of one instance. */
export interface Router extends Pick<Hosting, "app" | "extend" | "fetch" | "node"> {
  /** Paths that are answered before the framework. */
  readonly direct: PathSet;
  /** Paths that the framework serves: it normalizes their addresses, and its middleware sees their requests. */
  readonly framed: PathSet;
  /** All paths that were added. */
  readonly added: ReadonlySet<string>;
}

/**
 * Translates an error outside of every handler. A host that is not valid in a URL is the client's fault; its error must not be logged,
 * because it contains the whole address.
 */
export function outside(cause: unknown): TelexError {
  const isBadUrl = cause instanceof Error && "code" in cause && cause.code === "ERR_INVALID_URL";
  return isBadUrl ? new TelexError("invalid_request", { reason: "query_malformed" }) : TelexError.from(cause);
}

/** Translates an error of the framework. Its text is not passed on: it may contain the URL. */
function translate(error: HTTPError): TelexError {
  if (error.status === 404) return new TelexError("not_found");
  if (error.status === 400) return new TelexError("invalid_request", { reason: "query_malformed" });
  return outside(error.cause ?? error);
}

const notFound: Answer = (_exchange, refuse) => refuse(new TelexError("not_found"));

function notAllowed(methods: Iterable<Method>): Answer {
  const allow = [...methods].join(", ");
  return ({ method }, refuse) => {
    const params = { method: /^[A-Z-]{1,20}$/.test(method) ? method : "?", allow };
    return refuse(new TelexError("method_not_allowed", { params }), { headers: { allow } });
  };
}

/** Makes the handler of an answer, which refuses in the form and language of its path. */
const answering =
  (answer: Answer, fallback: Locale, { refuser = refuserOf, locale = fallback }: PathOptions = {}): Handle =>
  (exchange) =>
    answer(exchange, refuser(exchange, locale));

interface PathSetDeps {
  readonly locale: Locale;
  readonly ownCors: Cors;
  readonly observe: ObserveHandle;
  readonly added: Set<string>;
}

function createPathSet(put: Paths["add"], { locale, ownCors, observe, added }: PathSetDeps): PathSet {
  const add: PathSet["add"] = (path, handlers, options = {}) => {
    const { cors = ownCors } = options;
    const wrap = (handle: Handle): Handle => observe(path, cors(handle));
    const other = wrap(answering(notAllowed(handlers.keys()), locale, options));
    put(path, { byMethod: new Map([...handlers].map(([method, handle]) => [method, wrap(handle)])), other });
    added.add(path);
  };
  return {
    add,
    read(path, answer, options) {
      const handle = answering(answer, locale, options);
      add(path, new Map<Method, Handle>().set("GET", handle).set("HEAD", handle), options);
    },
  };
}

/**
 * A router without paths: it answers 404.
 * @param observe puts an observer around each handler
 * @param fail answers a request whose response could not be made
 */
export function createRouter(
  { otherLocale: locale, limits, log }: HttpTelex,
  {
    ownCors,
    observe,
    fail,
  }: { readonly ownCors: Cors; readonly observe: ObserveHandle; readonly fail: HostDeps["fail"] },
): Router {
  const refuse = (exchange: Exchange, error: TelexError): HttpResponse => {
    if (error.code === "internal") log.error("http.failed", { incident: error.incident }, error.cause);
    return refuserOf(exchange, locale)(error);
  };
  const paths = createPaths();
  const { app, extend, fetch, node, serve } = createHosting({
    paths,
    notFound: observe("/**", ownCors(answering(notFound, locale))),
    recover: (exchange, cause) => refuse(exchange, outside(cause)),
    translate: (exchange, error) => refuse(exchange, translate(error)),
    lingerTime: limits.lingerTime,
    fail,
  });
  const added = new Set<string>();
  const deps = { locale, ownCors, observe, added };
  const [direct, framed] = [createPathSet(paths.add, deps), createPathSet(serve, deps)];
  return { app, extend, fetch, node, added, direct, framed };
}
