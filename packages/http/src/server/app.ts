import type { IncomingMessage, ServerResponse } from "node:http";
import { type Locale, type RateLimiter, type Telex, TelexError, unlimited } from "@telex/core";
import { checkOptions, optionKinds, type OptionKinds } from "@telex/core/options";
import { H3, type H3Event, type HTTPError } from "h3";
import { refuserOf } from "../request/exchange.ts";
import { createHandler, type HandlerOptions } from "./handler.ts";
import { healthy, ready } from "./health.ts";
import { closed, createCors } from "./cors.ts";
import { createRespond, type Respond } from "./respond.ts";
import { createNodeHandler } from "./node-handler.ts";
import { createPages, type Documents } from "../pages/pages.ts";
import { answerRoot, redirect } from "../pages/root.ts";
import { type Endpoint, endpointsOf } from "./operations.ts";
import { createOpenAiEndpoints, openAiRefuser } from "../openai/endpoints.ts";
import { createReplies } from "../stream/replies.ts";
import { failure, type Refuse, type Reply, writeReply } from "../response/reply.ts";
import type { Route } from "../routes.ts";
import { createUserPages, type UserPages } from "../pages/user-pages.ts";

/** How Telex is offered over HTTP. */
export interface HttpOptions {
  /** The path under which the host keeps Telex, such as `/telex`, where the host does not take it off. Default `""`. */
  readonly basePath?: string;
  /** Counts calls: `createRateLimiter`, the same one that `createWs` gets. Default: no limits. */
  readonly rateLimiter?: RateLimiter;
  /** Proxies in front whose `X-Forwarded-For` is believed; true for one. Default false: the socket's address counts. */
  readonly trustProxy?: boolean | number;
  /** What an image that was cleaned up gets: 404, or `noimage.gif`. Default `error`. */
  readonly missingImage?: "error" | "placeholder";
  /** Take access tokens from the query as the interface says (interface 5), not only from the header. Default true. */
  readonly queryTokens?: boolean;
  /**
   * Origins whose pages may call this service from a browser: exact ones such as `https://app.example`, or `["*"]` for
   * all, then without credentials. Default: none; the pages of this service need no entry.
   */
  readonly cors?: readonly string[];
  /** The pages below `/user/` (interface 4.1): `pages` of `@telex/web`. Default: none. They need an empty base path. */
  readonly pages?: UserPages;
  /**
   * JSON documents beside `/openapi.json`, by their paths below the base path:
   * `{ "/asyncapi.json": ws.asyncApi }` with the `ws` of `createWs`. Default: none.
   */
  readonly documents?: Documents;
}

const { text, flag, count, object, list, oneOf, anyOf, port } = optionKinds;

const optionKindsOfHttp: OptionKinds<HttpOptions> = {
  basePath: text,
  rateLimiter: port(["count", "charge"], "createRateLimiter()"),
  trustProxy: anyOf(flag, count),
  missingImage: oneOf("error", "placeholder"),
  queryTokens: flag,
  cors: list,
  pages: object,
  documents: object,
};

/** Telex over HTTP. */
export interface Http {
  /** Answers a request in any host that knows `Request` and `Response`. Never rejects. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Answers a request of a Node server. Never throws. */
  readonly node: (req: IncomingMessage, res: ServerResponse) => void;
  /** The h3 application behind both, for routes of the host's own. */
  readonly app: H3;
  /** The language of a failure before anything is known of its request. */
  readonly locale: Locale;
  readonly limits: Telex["limits"];
}

type Method = "HEAD" | Route["method"];
type Handle = (event: H3Event) => Promise<Response>;
type Answer = (event: H3Event, refuse: Refuse) => Reply | Promise<Reply>;

/** What an error of the framework means in ours. Its text is not passed on: it may hold the URL. */
function translate(error: HTTPError): TelexError {
  if (error.status === 404) return new TelexError("not_found");
  if (error.status === 400) return new TelexError("invalid_request", { reason: "query_malformed" });
  return outside(error.cause ?? error);
}

/**
 * What went wrong outside of every handler. A host that makes no URL is the client's fault; its error must not be logged,
 * for it holds the whole address.
 */
function outside(cause: unknown): TelexError {
  const isBadUrl = cause instanceof Error && "code" in cause && cause.code === "ERR_INVALID_URL";
  return isBadUrl ? new TelexError("invalid_request", { reason: "query_malformed" }) : TelexError.from(cause);
}

function createAnswerer(telex: Telex, respond: Respond, refuser = refuserOf): (answer: Answer) => Handle {
  return (answer) => async (event) => respond(event, await answer(event, refuser(event, telex.locale)));
}

const notFound: Answer = (_event, refuse) => refuse(new TelexError("not_found"));

function notAllowed(methods: readonly string[]): Answer {
  const allow = methods.join(", ");
  return ({ req }, refuse) => {
    const params = { method: /^[A-Z-]{1,20}$/.test(req.method) ? req.method : "?", allow };
    return refuse(new TelexError("method_not_allowed", { params }), { headers: { allow } });
  };
}

function handlerOptions(telex: Telex, options: HttpOptions, respond: Respond): HandlerOptions {
  const { rateLimiter: limiter = unlimited, trustProxy = false, missingImage = "error", queryTokens = true } = options;
  const replies = createReplies(telex);
  return { telex, limiter, missingImage, queryTokens, proxies: Number(trustProxy), replies, respond };
}

/** The root of the server, also without a slash below a base path, and the icon that browsers ask for. */
function addRoot(
  app: H3,
  answerer: ReturnType<typeof createAnswerer>,
  basePath: string,
  pages: UserPages | undefined,
): void {
  const root = answerer(({ req }) => answerRoot(req.headers.get("accept"), basePath, pages !== undefined));
  const others = answerer(notAllowed(["GET", "HEAD"]));
  for (const path of new Set([basePath, `${basePath}/`].filter((one) => one !== ""))) {
    app.get(path, root);
    app.head(path, root);
    app.all(path, others);
  }
  if (pages?.icon === undefined) return;
  const icon = answerer(() => redirect(`/user/${pages.icon}`));
  app.get("/favicon.ico", icon);
  app.head("/favicon.ico", icon);
}

function addUserPages(app: H3, answerer: ReturnType<typeof createAnswerer>, pages: UserPages): void {
  const answer = createUserPages(pages, "/user");
  const handle = answerer((event, refuse) => answer(event) ?? refuse(new TelexError("not_found")));
  app.get("/user/**", handle);
  app.head("/user/**", handle);
  app.all("/user/**", answerer(notAllowed(["GET", "HEAD"])));
}

/** A GET that changes nothing also takes HEAD. */
const handlersOf = ({ route: { method, changes } }: Endpoint, handle: Handle): [Method, Handle][] =>
  method === "GET" && changes !== true
    ? [
        ["GET", handle],
        ["HEAD", handle],
      ]
    : [[method, handle]];

function createApp(telex: Telex, options: HttpOptions, basePath: string): H3 {
  const cors = createCors(options.cors ?? []);
  const respond = createRespond(telex, cors);
  const answerer = createAnswerer(telex, respond);
  const app = new H3({
    silent: true,
    onError: (error, event) => {
      const ours = translate(error);
      if (ours.code === "internal") telex.log.error("http.failed", { incident: ours.incident }, ours.cause);
      return answerer((_event, refuse) => refuse(ours))(event);
    },
  });
  app.use((event) => {
    const reply = cors.preflight(event);
    return reply === null ? undefined : respond(event, reply);
  });
  const add = (path: string, handlers: ReadonlyMap<Method, Handle>, answering = answerer): void => {
    const missing = answering(notFound);
    for (const [method, handle] of handlers) {
      // The router takes a path with a slash at its end for the one without; the interface has no such paths.
      app.on(method, `${basePath}${path}`, (event) => (event.url.pathname.endsWith("/") ? missing : handle)(event));
    }
    app.all(`${basePath}${path}`, answering(notAllowed([...handlers.keys()])));
  };
  const read = (handle: Handle): Map<Method, Handle> =>
    new Map([
      ["GET", handle],
      ["HEAD", handle],
    ]);
  const handling = handlerOptions(telex, options, respond);
  for (const [path, endpoints] of Map.groupBy(endpointsOf(telex), ({ route }) => route.path)) {
    add(path, new Map(endpoints.flatMap((endpoint) => handlersOf(endpoint, createHandler(endpoint, handling)))));
  }
  for (const { endpoint, form } of createOpenAiEndpoints(telex)) {
    const handlers = handlersOf(endpoint, createHandler(endpoint, handling, form));
    add(endpoint.route.path, new Map(handlers), createAnswerer(telex, respond, openAiRefuser));
  }
  add("/healthz", read(answerer(healthy)));
  add("/readyz", read(answerer((_event, refuse) => ready(telex, refuse))));
  for (const { path, answer } of createPages(basePath, options.documents ?? {})) add(path, read(answerer(answer)));
  addRoot(app, answerer, basePath, options.pages);
  if (options.pages !== undefined)
    addUserPages(app, createAnswerer(telex, createRespond(telex, closed)), options.pages);
  app.all("/**", answerer(notFound));
  return app;
}

/**
 * Offers an instance over HTTP: every path of the interface, health, the OpenAPI document and its reference page.
 * @throws TypeError for an option that is unknown or of the wrong type, for a base path that does not begin with a slash, or
 * ends with one, for pages that have not been built, and for an entry of `cors` that is not an origin
 */
export function createHttp(telex: Telex, options: HttpOptions = {}): Http {
  checkOptions("createHttp", options, optionKindsOfHttp);
  const { basePath = "" } = options;
  if (basePath !== "" && !/^(\/[\w.~-]+)+$/.test(basePath)) {
    throw new TypeError(`The base path must look like /telex, not ${JSON.stringify(basePath)}.`);
  }
  if (basePath !== "" && options.pages !== undefined) {
    throw new TypeError("The pages are built for /user/: they cannot be offered below a base path.");
  }
  const app = createApp(telex, options, basePath);
  const fail = (res: ServerResponse, cause: unknown): void => {
    const error = outside(cause);
    if (error.code === "internal") telex.log.error("http.failed", { incident: error.incident }, error.cause);
    if (res.headersSent) res.destroy();
    else writeReply(res, failure(error, telex.locale));
  };
  return {
    app,
    locale: telex.locale,
    limits: telex.limits,
    fetch: async (request) => await app.fetch(request),
    node: createNodeHandler(app, fail),
  };
}
