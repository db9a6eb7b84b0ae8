import { IncomingMessage, ServerResponse } from "node:http";
import type { H3, H3Event } from "h3";
import { NodeRequest, sendNodeResponse } from "srvx/node";
import type { Exchange } from "../exchange/exchange.ts";
import type { HttpResponse } from "../response/http-response.ts";
import { writeResponse } from "../response/node.ts";
import { toWebResponse } from "../response/web.ts";
import type { DirectCall, DirectPaths, Handle } from "./direct.ts";
import { NodeExchange, WebExchange } from "../exchange/exchanges.ts";
import { linger } from "./linger.ts";
import type { NodeSide } from "../exchange/node.ts";

/** The two sides of a request that came through `http.node`. The framework hands it from the request to the event. */
class OwnNodeSide implements NodeSide {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** True once the response is written or being written. */
  isAnswered = false;

  constructor(req: IncomingMessage, res: ServerResponse) {
    this.req = req;
    this.res = res;
  }
}

function exchangeOf({ req, url, context, runtime }: H3Event): NodeExchange | WebExchange {
  const target = { method: req.method, path: url.pathname, search: url.search, params: context.params ?? {} };
  const node = runtime?.node;
  // A host that speaks HTTP/2 gives other classes.
  return node?.req instanceof IncomingMessage && node.res instanceof ServerResponse
    ? new NodeExchange({ req: node.req, res: node.res }, target, req.headers)
    : new WebExchange(req, target);
}

/** What a handler of the framework gives for a response that it has written itself. */
const handled = Symbol.for("h3.handled");

/** Where our exchanges meet the framework, which finds the handler of a request. */
interface Bridge {
  /** A handler as the framework calls it. */
  readonly handler: (handle: Handle) => (event: H3Event) => Promise<unknown>;
  /** What the framework calls for an error. */
  readonly failure: <E>(
    handle: (exchange: Exchange, error: E) => HttpResponse,
  ) => (error: E, event: H3Event) => unknown;
}

function answerNode({ runtime, app }: H3Event, exchange: NodeExchange, response: HttpResponse): unknown {
  const own = runtime?.node;
  if (!(own instanceof OwnNodeSide) || app?.["~middleware"].length !== 0) {
    return toWebResponse(response, exchange.method, []);
  }
  own.isAnswered = true;
  writeResponse(own.res, response);
  return handled;
}

/**
 * Makes exchanges of events, and answers of responses. A response to `http.node` is written to Node directly, unless the host has
 * middleware, which expects a `Response`.
 * @param lingerTime milliseconds for which the rest of a request is read after its response
 */
export function createBridge(lingerTime: number): Bridge {
  const give = (event: H3Event, exchange: NodeExchange | WebExchange, response: HttpResponse): unknown => {
    if (exchange instanceof WebExchange) return toWebResponse(response, exchange.method, exchange.listeners);
    linger(exchange.node, lingerTime);
    return answerNode(event, exchange, response);
  };
  return {
    handler: (handle) => async (event) => {
      const exchange = exchangeOf(event);
      const response = await handle(exchange);
      const bodyEnd = exchange instanceof NodeExchange ? exchange.body.end() : null;
      if (bodyEnd !== null) await bodyEnd;
      return give(event, exchange, response);
    },
    failure: (handle) => (error, event) => {
      const exchange = exchangeOf(event);
      return give(event, exchange, handle(exchange, error));
    },
  };
}

async function answer(app: H3, node: OwnNodeSide): Promise<void> {
  const response = await app.fetch(new NodeRequest(node));
  if (!node.isAnswered) await sendNodeResponse(node.res, response);
}

/** Tells whether the host has added nothing to the application since now: no route, no middleware, no hook. */
function watchAdditions(app: H3): () => boolean {
  const routes = app["~routes"];
  const count = routes.length;
  return () => {
    const { config } = app;
    return (
      routes.length === count &&
      app["~middleware"].length === 0 &&
      config.onRequest === undefined &&
      config.onResponse === undefined
    );
  };
}

/** What {@link createNodeHandler} needs besides the application. */
interface NodeHandlerDeps {
  /** What is answered without the framework as long as the host adds nothing to the application. */
  readonly direct: DirectPaths;
  /** Answers what a handler of `direct` throws. */
  readonly recover: (exchange: Exchange, cause: unknown) => HttpResponse;
  /** Milliseconds for which the rest of a request is read after its response. */
  readonly lingerTime: number;
  /** Answers what went wrong outside of every handler. */
  readonly fail: (res: ServerResponse, cause: unknown) => void;
}

/** The application as a handler for a Node server. It never throws. */
export function createNodeHandler(app: H3, { direct, recover, lingerTime, fail }: NodeHandlerDeps) {
  const isOwn = watchAdditions(app);
  const answerDirectly = async ({ exchange, handle }: DirectCall): Promise<void> => {
    let response: HttpResponse;
    try {
      response = await handle(exchange);
    } catch (cause) {
      response = recover(exchange, cause);
    }
    const bodyEnd = exchange.body.end();
    if (bodyEnd !== null) await bodyEnd;
    linger(exchange.node, lingerTime);
    writeResponse(exchange.node.res, response);
  };
  return (req: IncomingMessage, res: ServerResponse): void => {
    // A host that speaks HTTP/2 gives other classes.
    const isNode = req instanceof IncomingMessage && res instanceof ServerResponse;
    const found = isNode && isOwn() ? direct.find(req, res) : null;
    const answered = found === null ? answer(app, new OwnNodeSide(req, res)) : answerDirectly(found);
    answered.catch((cause: unknown) => fail(res, cause));
  };
}
