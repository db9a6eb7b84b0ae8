import { TelexError } from "@telex/core";
import type { Locale } from "@telex/core/transport";
import { H3, type HTTPError } from "h3";
import type { Exchange } from "../exchange/exchange.ts";
import { refuserOf } from "../response/refuser.ts";
import type { HttpResponse, Refuse } from "../response/http-response.ts";
import type { Route } from "../routes.ts";
import type { Cors } from "./cors.ts";
import { createDirectPaths, type DirectPaths, type Handle } from "./direct.ts";
import { createBridge } from "./h3.ts";
import type { ObserveHandle } from "./observed.ts";
import type { Endpoint } from "../endpoints/operations.ts";
import type { HttpTelex } from "../limits.ts";

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
  /** True if the same is at the path with a slash at its end, which is not found otherwise: the framework takes one for the other. */
  readonly takesSlash?: boolean;
}

/** The paths of one instance. */
export interface Router {
  readonly app: H3;
  /** The same handlers, for requests that need nothing of the framework. */
  readonly direct: DirectPaths;
  /** Answers what a handler throws. */
  readonly recover: (exchange: Exchange, cause: unknown) => HttpResponse;
  /** Makes the handler of a path. */
  readonly answering: (answer: Answer, options?: Pick<PathOptions, "refuser" | "locale">) => Handle;
  /** Adds a path with the handlers of its methods; others are refused with 405. */
  readonly add: (path: string, handlers: ReadonlyMap<Method, Handle>, options?: PathOptions) => void;
  /** Adds a path with one handler for GET and HEAD. */
  readonly read: (path: string, answer: Answer, options?: PathOptions) => void;
}

/**
 * What went wrong outside of every handler. A host that makes no URL is the client's fault; its error must not be logged,
 * for it holds the whole address.
 */
export function outside(cause: unknown): TelexError {
  const isBadUrl = cause instanceof Error && "code" in cause && cause.code === "ERR_INVALID_URL";
  return isBadUrl ? new TelexError("invalid_request", { reason: "query_malformed" }) : TelexError.from(cause);
}

/** What an error of the framework means in ours. Its text is not passed on: it may hold the URL. */
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

/**
 * A router that answers 404 so far.
 * @param observe puts an observer around each handler
 */
export function createRouter({ otherLocale, limits, log }: HttpTelex, ownCors: Cors, observe: ObserveHandle): Router {
  const bridge = createBridge(limits.lingerTime);
  const direct = createDirectPaths();
  const refuse = (exchange: Exchange, error: TelexError): HttpResponse => {
    if (error.code === "internal") log.error("http.failed", { incident: error.incident }, error.cause);
    return refuserOf(exchange, otherLocale)(error);
  };
  const app = new H3({
    silent: true,
    onError: bridge.failure((exchange, error: HTTPError) => refuse(exchange, translate(error))),
  });
  const answering: Router["answering"] = (answer, { refuser = refuserOf, locale = otherLocale } = {}) => {
    return (exchange) => answer(exchange, refuser(exchange, locale));
  };
  const on = (method: Method | "", path: string, handle: Handle, cors = ownCors): void => {
    const answer = observe(path, cors(handle));
    app.on(method, path, bridge.handler(answer));
    if (method !== "") direct.add(method, path, answer);
  };
  const add: Router["add"] = (path, handlers, options = {}) => {
    const { cors, takesSlash = false } = options;
    const missing = answering(notFound, options);
    for (const [method, handle] of handlers) {
      on(method, path, takesSlash ? handle : (one) => (one.path.endsWith("/") ? missing : handle)(one), cors);
    }
    on("", path, answering(notAllowed(handlers.keys()), options), cors);
  };
  on("", "/**", answering(notFound));
  return {
    app,
    direct,
    recover: (exchange, cause) => refuse(exchange, outside(cause)),
    answering,
    add,
    read(path, answer, options) {
      const handle = answering(answer, options);
      const both: [Method, Handle][] = [
        ["GET", handle],
        ["HEAD", handle],
      ];
      add(path, new Map(both), options);
    },
  };
}
