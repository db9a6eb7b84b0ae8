import { IncomingMessage, ServerResponse } from "node:http";
import { H3, type H3Event, type HTTPError } from "h3";
import type { ServerRequest } from "srvx";
import { NodeRequest, sendNodeResponse } from "srvx/node";
import type { Exchange } from "../exchange/exchange.ts";
import { NodeExchange, type Target, WebExchange } from "../exchange/exchanges.ts";
import { NodeHeaders } from "../exchange/node-headers.ts";
import type { HttpResponse } from "../response/http-response.ts";
import { writeResponse } from "../response/node.ts";
import { toWebResponse } from "../response/web.ts";
import { linger } from "./linger.ts";
import type { Handle, PathHandlers, Paths, PlainMatch } from "./paths.ts";

/** The parts of the router that the hosts call. */
export interface HostDeps {
  /** The paths that are answered before the framework. */
  readonly paths: Paths;
  /** Answers requests for unknown paths. */
  readonly notFound: Handle;
  /** Answers an exchange whose handler threw. */
  readonly recover: (exchange: Exchange, cause: unknown) => HttpResponse;
  /** Answers an exchange that the framework refused, or whose handler, added by the host, threw. */
  readonly translate: (exchange: Exchange, error: HTTPError) => HttpResponse;
  /** Milliseconds for which the rest of a request is read after its response. */
  readonly lingerTime: number;
  /** Answers a request whose response could not be made. */
  readonly fail: (res: ServerResponse, cause: unknown) => void;
}

/** The two ways in which hosts call Telex, and the framework behind both. */
export interface Hosting {
  /** Serves the paths that the router does not have. It also serves those of the router, so that a host can mount it alone. */
  readonly app: H3;
  readonly fetch: (request: Request) => Promise<Response>;
  readonly node: (req: IncomingMessage, res: ServerResponse) => void;
  /** Lets the framework serve a path; one that ends with a double asterisk has all paths below it. */
  readonly serve: (path: string, handlers: PathHandlers) => void;
}

function exchangeOf(request: ServerRequest, target: Target): NodeExchange | WebExchange {
  const node = request.runtime?.node;
  // A host that speaks HTTP/2 gives other classes.
  return node?.req instanceof IncomingMessage && node.res instanceof ServerResponse
    ? new NodeExchange({ req: node.req, res: node.res }, target, request.headers)
    : new WebExchange(request, target);
}

const targetOf = ({ req, url, context }: H3Event): Target => ({
  method: req.method,
  path: url.pathname,
  search: url.search,
  params: context.params ?? {},
});

/** The path below the place where a host has mounted the application, which is its own path otherwise. */
function pathBelow({ url, context }: H3Event): string {
  const rest = context.params?.["_"] ?? "";
  return rest !== "" && url.pathname.endsWith("/") ? `/${rest}/` : `/${rest}`;
}

/** The path and query of a URL, as they were sent. */
function pathAndQuery(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  return start < 0 ? "/" : url.slice(start);
}

async function responseOf(
  exchange: NodeExchange | WebExchange,
  handle: Handle,
  recover: HostDeps["recover"],
): Promise<HttpResponse> {
  let response: HttpResponse;
  try {
    response = await handle(exchange);
  } catch (cause) {
    response = recover(exchange, cause);
  }
  const bodyEnd = exchange instanceof NodeExchange ? exchange.body.end() : null;
  if (bodyEnd !== null) await bodyEnd;
  return response;
}

/** Gives a response to a host that takes a `Response`. */
function giveResponse(exchange: NodeExchange | WebExchange, response: HttpResponse, lingerTime: number): Response {
  if (exchange instanceof WebExchange) return toWebResponse(response, exchange.method, exchange.listeners);
  linger(exchange.node, lingerTime);
  return toWebResponse(response, exchange.method, []);
}

/** Lets the framework answer a request of a Node server. */
async function passOn(app: H3, req: IncomingMessage, res: ServerResponse): Promise<void> {
  await sendNodeResponse(res, await app.fetch(new NodeRequest({ req, res })));
}

/** The application of the framework, with the paths of the router below all that is added to it. */
function createApp(deps: HostDeps): Pick<Hosting, "app" | "serve"> {
  const { paths, notFound, recover, translate, lingerTime } = deps;
  const answer = async ({ req }: H3Event, target: Target, handle: Handle): Promise<Response> => {
    const exchange = exchangeOf(req, target);
    return giveResponse(exchange, await responseOf(exchange, handle, recover), lingerTime);
  };
  const app = new H3({
    silent: true,
    onError(error, event) {
      const exchange = exchangeOf(event.req, targetOf(event));
      return giveResponse(exchange, translate(exchange, error), lingerTime);
    },
  });
  app.all("/**", (event) => {
    const target = targetOf(event);
    const match = paths.find(target.method, pathBelow(event));
    return answer(event, { ...target, params: match?.params ?? {} }, match?.handle ?? notFound);
  });
  const serve: Hosting["serve"] = (path, { byMethod, other }) => {
    const hasAll = path.endsWith("/**");
    app.all(path, (event) => {
      const target = targetOf(event);
      // The framework takes a path with a slash at its end for the one without.
      const isMissing = !hasAll && target.path.endsWith("/");
      return answer(event, target, isMissing ? notFound : (byMethod.get(target.method) ?? other));
    });
  };
  return { app, serve };
}

/** Puts the router and the framework behind it into the hosts. */
export function createHosting(deps: HostDeps): Hosting {
  const { paths, recover, lingerTime, fail } = deps;
  const { app, serve } = createApp(deps);
  const answerNode = async (req: IncomingMessage, res: ServerResponse, match: PlainMatch): Promise<void> => {
    const { path, search, params } = match;
    const target = { method: req.method ?? "", path, search, params };
    const exchange = new NodeExchange({ req, res }, target, new NodeHeaders(req));
    const response = await responseOf(exchange, match.handle, recover);
    linger(exchange.node, lingerTime);
    writeResponse(res, response);
  };
  return {
    app,
    serve,
    async fetch(request) {
      const { method } = request;
      const match = paths.findPlain(method, pathAndQuery(request.url));
      if (match === null) return await app.fetch(request);
      const exchange = exchangeOf(request, { method, path: match.path, search: match.search, params: match.params });
      return giveResponse(exchange, await responseOf(exchange, match.handle, recover), lingerTime);
    },
    node(req, res) {
      // A host that speaks HTTP/2 gives other classes.
      const isNode = req instanceof IncomingMessage && res instanceof ServerResponse;
      const match = isNode ? paths.findPlain(req.method ?? "", req.url ?? "") : null;
      const answered = match === null ? passOn(app, req, res) : answerNode(req, res, match);
      answered.catch((cause: unknown) => fail(res, cause));
    },
  };
}
