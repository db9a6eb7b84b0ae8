import type { IncomingMessage, ServerResponse } from "node:http";
import { type Telex, TelexError } from "@telex/core";
import { type Locale, type RateLimiter, type RequestAuthenticator, unlimited } from "@telex/core/transport";
import { checkOptions, optionKinds, type OptionKinds } from "@telex/core/options";
import type { H3 } from "h3";
import { createOpenAiEndpoints } from "../openai/endpoints.ts";
import type { InteractiveReference } from "../pages/interactive.ts";
import { createPages, type Documents, type Page } from "../pages/pages.ts";
import { answerRoot, redirect } from "../pages/root.ts";
import { createUserPages, type UserPages } from "../pages/user-pages.ts";
import { defaultHttpLimits, type HttpLimits, type HttpTelex, withHttpLimits } from "../limits.ts";
import { failure } from "../response/http-response.ts";
import { writeResponse } from "../response/node.ts";
import type { Route } from "../routes.ts";
import { createReplies } from "../replies/replies.ts";
import { closed, createCors } from "./cors.ts";
import { assertRoutes, type PluginRoute } from "../endpoints/define-route.ts";
import { counted } from "./counted.ts";
import { addMounts, type NodeMount } from "./mounts.ts";
import { addForms, type PluginForm } from "./forms.ts";
import { createHandler, type HandlerOptions, localeOfRoute } from "./handler.ts";
import { healthy, ready } from "./health.ts";
import { createObserveHandle } from "./observed.ts";
import { type Endpoint, endpointsOf } from "../endpoints/operations.ts";
import { type Answer, createRouter, type Method, outside, type PathSet, type Router } from "./router.ts";

/** How Telex is offered over HTTP. */
export interface HttpOptions {
  /** The path under which the host serves Telex, such as `/telex`, unless the host removes it from URLs. Default `""`. */
  readonly basePath?: string;
  /** Counts calls: `createRateLimiter`, the same one that `createWs` gets. Default: no limits. */
  readonly rateLimiter?: RateLimiter;
  /** The number of trusted proxies that set `X-Forwarded-For`; true for one. Default false: the socket's address counts. */
  readonly trustProxy?: boolean | number;
  /** The response for an image that was cleaned up: 404, or `noimage.gif`. Default `error`. */
  readonly missingImage?: "error" | "placeholder";
  /** Accept access tokens from the query as the interface says (interface 5), not only from the header. Default true. */
  readonly queryTokens?: boolean;
  /**
   * Origins whose pages may call this service from a browser: exact ones such as `https://app.example`, or `["*"]` for
   * all, then without credentials. Default: none; the pages of this service need no entry.
   */
  readonly cors?: readonly string[];
  /** The pages below `/user/` (interface 4.1): `pages` of `@telex/web`. Default: none. They need an empty base path. */
  readonly pages?: UserPages;
  /** The page at `/reference`: `reference` of `@telex/reference`. Default: a list without scripts, which is at `/reference/plain` otherwise. */
  readonly reference?: InteractiveReference;
  /**
   * JSON documents in addition to `/openapi.json`, by their paths below the base path:
   * `{ "/asyncapi.json": ws.asyncApi }` with the `ws` of `createWs`. Each is made once. Default: none.
   */
  readonly documents?: Documents;
  /** Authenticates requests without a token, such as by a cookie: `createAuth` of `@telex/auth-server`. Default: they are anonymous. */
  readonly authenticator?: RequestAuthenticator;
  /** Routes in addition to those of Telex: `defineRoute`. Default: none. */
  readonly routes?: readonly PluginRoute[];
  /** HTML forms below `/user/`, such as those of `createAuth` of `@telex/auth-server`. Default: none. They need an empty base path. */
  readonly forms?: readonly PluginForm[];
  /** Paths that a Node handler answers, such as those of an authorization server. Default: none. They need an empty base path. */
  readonly mounts?: readonly NodeMount[];
  /** Changes of single limits. */
  readonly limits?: Partial<HttpLimits>;
}

const { flag, count, object, list, oneOf, anyOf, port } = optionKinds;

const optionKindsOfHttp: OptionKinds<HttpOptions> = {
  basePath: optionKinds.basePath,
  rateLimiter: port(["count", "charge"], "createRateLimiter()"),
  trustProxy: anyOf(flag, count),
  missingImage: oneOf("error", "placeholder"),
  queryTokens: flag,
  cors: list,
  pages: object,
  reference: object,
  documents: object,
  authenticator: optionKinds.port(["authenticate", "assertUpgrade", "redeem"], "createAuth()"),
  routes: list,
  forms: list,
  mounts: list,
  limits: optionKinds.limits(defaultHttpLimits),
};

/** Telex over HTTP. */
export interface Http {
  /** Answers a request in any host that knows `Request` and `Response`. Never rejects. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Answers a request of a Node server. Never throws. */
  readonly node: (req: IncomingMessage, res: ServerResponse) => void;
  /**
   * The h3 application behind both, for routes and middleware of the host. It serves what `fetch` and `node` do not answer themselves:
   * documents, pages and routes of plug-ins; its middleware sees the requests for those. A host that wants middleware around
   * everything mounts `fetch` or `app` in an application of its own.
   */
  readonly app: H3;
  /** The language of a failure before anything is known about its request. */
  readonly locale: Locale;
  readonly limits: HttpTelex["limits"];
}

/** The parts that a server of Node calls. */
export type ServedHttp = Pick<Http, "limits" | "locale" | "node">;

/** The root of the server, also without a slash below a base path, and the icon that browsers ask for. */
function addRoot({ read }: PathSet, basePath: string, pages: UserPages | undefined): void {
  const root: Answer = (exchange) => answerRoot(exchange.header("accept"), basePath, pages !== undefined);
  for (const path of new Set([basePath, `${basePath}/`].filter((one) => one !== ""))) read(path, root);
  if (pages?.icon !== undefined) read("/favicon.ico", () => redirect(`/user/${pages.icon}`));
}

/** A GET that changes nothing also takes HEAD. */
const methodsOf = ({ method, changes }: Route): Method[] =>
  method === "GET" && changes !== true ? ["GET", "HEAD"] : [method];

function addEndpoints(
  { add }: PathSet,
  basePath: string,
  endpoints: readonly Endpoint[],
  options: HandlerOptions,
): void {
  for (const [path, ofPath] of Map.groupBy(endpoints, ({ route }) => route.path)) {
    const handlers = ofPath.flatMap((endpoint) => {
      const handle = createHandler(endpoint, options);
      return methodsOf(endpoint.route).map((method) => [method, handle] as const);
    });
    const { refuser, route = {} } = ofPath[0] ?? {};
    const locale = localeOfRoute(options.telex, route);
    add(`${basePath}${path}`, new Map(handlers), { locale, ...(refuser !== undefined && { refuser }) });
  }
}

function handlerOptions(telex: HttpTelex, options: HttpOptions): HandlerOptions {
  const { rateLimiter: limiter = unlimited, trustProxy = false, missingImage = "error", queryTokens = true } = options;
  const { authenticator } = options;
  return { telex, limiter, missingImage, queryTokens, authenticator, proxies: Number(trustProxy) };
}

const healthOf = (telex: HttpTelex): Page[] => [
  { path: "/healthz", answer: healthy },
  { path: "/readyz", answer: (_exchange, refuse) => ready(telex, refuse) },
];

const pagesOf = (
  { routes = [], documents = {}, basePath = "", reference }: HttpOptions,
  handling: HandlerOptions,
): Page[] =>
  createPages({ basePath, routes, reference }, documents).map(({ path, answer }) => ({
    path,
    answer: counted(handling, answer),
  }));

function addUserPages({ read }: PathSet, pages: UserPages): void {
  const answer = createUserPages(pages, "/user");
  const missing = (): TelexError => new TelexError("not_found");
  read("/user/**", (exchange, refuse) => answer(exchange) ?? refuse(missing()), { cors: closed });
}

/** Answers a request that failed outside of its handler. */
const createFail =
  ({ log, otherLocale }: HttpTelex) =>
  (res: ServerResponse, cause: unknown): void => {
    const error = outside(cause);
    if (error.code === "internal") log.error("http.failed", { incident: error.incident }, error.cause);
    if (res.headersSent) res.destroy();
    else writeResponse(res, failure(error, otherLocale));
  };

/**
 * Everything that an instance answers. Operations, health and the root are answered by the router; routes of plug-ins, documents and
 * pages by the framework behind it.
 */
export function createRoutes(telex: HttpTelex, options: HttpOptions): Router {
  const observe = createObserveHandle(telex.observer, Number(options.trustProxy ?? false));
  const router = createRouter(telex, { ownCors: createCors(options.cors ?? []), observe, fail: createFail(telex) });
  const { routes = [], basePath = "" } = options;
  const own = [...endpointsOf(telex, createReplies(telex)), ...createOpenAiEndpoints(telex)];
  const handling = handlerOptions(telex, options);
  const health = healthOf(telex);
  const pages = pagesOf(options, handling);
  const paths = [...health, ...pages].map(({ path }) => path);
  assertRoutes(routes, own, paths);
  for (const { path, answer } of health) router.direct.read(`${basePath}${path}`, answer);
  addRoot(router.direct, basePath, options.pages);
  const ownPaths = new Set(own.map(({ route }) => route.path));
  // A plug-in may add a method to a path of Telex: one router must know all methods of a path.
  const added = routes.map(({ endpoint }) => endpoint(telex));
  const beside = added.filter(({ route }) => ownPaths.has(route.path));
  addEndpoints(router.direct, basePath, [...own, ...beside], handling);
  addEndpoints(
    router.framed,
    basePath,
    added.filter((one) => !beside.includes(one)),
    handling,
  );
  for (const { path, answer } of pages) router.framed.read(`${basePath}${path}`, answer);
  addForms(router.direct, options.forms ?? [], handling);
  router.extend((app) => addMounts(app, options.mounts ?? [], handling));
  if (options.pages !== undefined) addUserPages(router.framed, options.pages);
  return router;
}

/**
 * Offers an instance over HTTP: every path of the interface, health, the OpenAPI document and its reference page.
 * @throws TypeError if two routes have the same name, or the same method and path
 * @throws TypeError for an option that is unknown or of the wrong type, for a base path that does not begin with a slash, or
 * ends with one, for pages that have not been built, and for an entry of `cors` that is not an origin
 * @throws RangeError for an `uploadTime` above half of the instance's `orphanAge`
 */
export function createHttp(instance: Telex, options: HttpOptions = {}): Http {
  checkOptions("createHttp", options, optionKindsOfHttp);
  const telex = withHttpLimits(instance, options.limits);
  const { basePath = "" } = options;
  if (
    basePath !== "" &&
    (options.pages !== undefined || [...(options.forms ?? []), ...(options.mounts ?? [])].length > 0)
  )
    throw new TypeError("Pages and forms are built for /user/: they cannot be offered below a base path.");
  const { otherLocale: locale, limits } = telex;
  const { app, node, fetch } = createRoutes(telex, options);
  return {
    get app() {
      return app();
    },
    locale,
    limits,
    node,
    fetch,
  };
}
