import { IncomingMessage, ServerResponse } from "node:http";
import { H3, type H3Event } from "h3";
import type { ServerRequest } from "srvx";
import { NodeExchange, type Target, WebExchange } from "../exchange/exchanges.ts";
import { NodeHeaders } from "../exchange/node-headers.ts";
import type { HttpResponse } from "../response/http-response.ts";
import { writeResponse } from "../response/node.ts";
import { linger } from "./linger.ts";
import type { Handle, PathHandlers, PlainMatch } from "./paths.ts";
import { type HostDeps, pathAndQuery, responseOf, giveResponse, passOn } from "./pass-on.ts";

/** The two ways in which hosts call Telex, and the framework behind both. */
export interface Hosting {
  /**
   * Serves the paths that the router does not have. It also serves those of the router, so that a host can mount it alone. Created by the
   * first call, because the framework and the web classes of Node take memory that operations do not need.
   */
  readonly app: () => H3;
  /** Adds paths of Node handlers to the framework. */
  readonly extend: (addition: Addition) => void;
  readonly fetch: (request: Request) => Promise<Response>;
  readonly node: (req: IncomingMessage, res: ServerResponse) => void;
  /** Lets the framework serve a path; one that ends with a double asterisk includes all paths below it. */
  readonly serve: (path: string, handlers: PathHandlers) => void;
}

type Addition = (app: H3) => void;

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

/** The path below the one at which a host has mounted the application; without a mount, the whole path. */
function pathBelow({ url, context }: H3Event): string {
  const rest = context.params?.["_"] ?? "";
  return rest !== "" && url.pathname.endsWith("/") ? `/${rest}/` : `/${rest}`;
}

async function answer(
  { recover, lingerTime }: HostDeps,
  { req }: H3Event,
  target: Target,
  handle: Handle,
): Promise<Response> {
  const exchange = exchangeOf(req, target);
  return giveResponse(exchange, await responseOf(exchange, handle, recover), lingerTime);
}

/** The application of the framework, with the paths of the router below all that is added to it. */
function createApp(deps: HostDeps): H3 {
  const { paths, notFound, translate, lingerTime } = deps;
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
    return answer(deps, event, { ...target, params: match?.params ?? {} }, match?.handle ?? notFound);
  });
  return app;
}

const addPath =
  (deps: HostDeps, path: string, { byMethod, other }: PathHandlers): Addition =>
  (app) => {
    const hasAll = path.endsWith("/**");
    app.all(path, (event) => {
      const target = targetOf(event);
      // The framework treats a path with a slash at its end like the one without.
      const isMissing = !hasAll && target.path.endsWith("/");
      return answer(deps, event, target, isMissing ? deps.notFound : (byMethod.get(target.method) ?? other));
    });
  };

function createLateApp(deps: HostDeps): Pick<Hosting, "app" | "extend"> {
  const additions: Addition[] = [];
  let app: H3 | undefined;
  const create = (): H3 => {
    const created = createApp(deps);
    for (const add of additions) add(created);
    return created;
  };
  return {
    app: () => (app ??= create()),
    extend: (addition) => void additions.push(addition),
  };
}

/** Connects the router, and the framework behind it, to the hosts. */
export function createHosting(deps: HostDeps): Hosting {
  const { paths, recover, lingerTime, fail } = deps;
  const { app, extend } = createLateApp(deps);
  const answerNode = async (req: IncomingMessage, res: ServerResponse, match: PlainMatch): Promise<void> => {
    const { path, search, params } = match;
    const target = { method: req.method ?? "", path, search, params };
    const exchange = new NodeExchange({ req, res }, target, new NodeHeaders(req));
    let response: HttpResponse;
    // Like `responseOf`, which would be one more asynchronous function for each request.
    try {
      response = await match.handle(exchange);
    } catch (cause) {
      response = recover(exchange, cause);
    }
    const bodyEnd = exchange.body.end();
    if (bodyEnd !== null) await bodyEnd;
    linger(exchange.node, lingerTime);
    writeResponse(res, response);
  };
  return {
    app,
    extend,
    serve: (path, handlers) => extend(addPath(deps, path, handlers)),
    async fetch(request) {
      const { method } = request;
      const match = paths.findPlain(method, pathAndQuery(request.url));
      if (match === null) return await app().fetch(request);
      const exchange = exchangeOf(request, { method, path: match.path, search: match.search, params: match.params });
      return giveResponse(exchange, await responseOf(exchange, match.handle, recover), lingerTime);
    },
    node(req, res) {
      // A host that speaks HTTP/2 gives other classes.
      const isNode = req instanceof IncomingMessage && res instanceof ServerResponse;
      const match = isNode ? paths.findPlain(req.method ?? "", req.url ?? "") : null;
      const answered = match === null ? passOn(app(), req, res) : answerNode(req, res, match);
      answered.catch((cause: unknown) => fail(res, cause));
    },
  };
}
