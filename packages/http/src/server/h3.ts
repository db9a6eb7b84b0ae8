import { IncomingMessage, ServerResponse } from "node:http";
import type { H3, H3Event } from "h3";
import { NodeRequest, sendNodeResponse } from "srvx/node";
import type { Exchange, IncomingBody } from "../request/exchange.ts";
import { NodeBody, WebBody } from "../request/source.ts";
import type { HttpResponse } from "../response/http-response.ts";
import { writeResponse } from "../response/node.ts";
import { toWebResponse } from "../response/web.ts";
import { linger } from "./linger.ts";
import { abortedUnlessWritten, type NodeSide, onEnded } from "./node.ts";

/** Answers an exchange. */
export type Handle = (exchange: Exchange) => HttpResponse | Promise<HttpResponse>;

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

/** The part of an exchange that is the same for all hosts. Classes for the same reason as `Call`. */
class EventExchange {
  readonly #event: H3Event;

  constructor(event: H3Event) {
    this.#event = event;
  }

  get method(): string {
    return this.#event.req.method;
  }

  get path(): string {
    return this.#event.url.pathname;
  }

  get search(): string {
    return this.#event.url.search;
  }

  get params(): Readonly<Record<string, string>> {
    return this.#event.context.params ?? {};
  }

  header(name: string): string | null {
    return this.#event.req.headers.get(name);
  }
}

/** An exchange of a Node server. */
class NodeExchange extends EventExchange implements Exchange {
  readonly body: IncomingBody;
  readonly node: NodeSide;
  #signal: AbortSignal | null = null;

  constructor(event: H3Event, node: NodeSide) {
    super(event);
    this.node = node;
    this.body = new NodeBody(node.req);
  }

  get address(): string | null {
    return this.node.req.socket.remoteAddress ?? null;
  }

  get signal(): AbortSignal {
    return (this.#signal ??= abortedUnlessWritten(this.node));
  }

  onWritten(listener: (written: boolean) => void): void {
    onEnded(this.node, listener);
  }
}

/** An exchange of a host that gives a `Request` and takes a `Response`: whether that was written shows only when its body is read. */
class WebExchange extends EventExchange implements Exchange {
  readonly address = null;
  readonly body: IncomingBody;
  readonly signal: AbortSignal;
  readonly listeners: ((written: boolean) => void)[] = [];

  constructor(event: H3Event) {
    super(event);
    this.body = new WebBody(event.req);
    this.signal = event.req.signal;
  }

  onWritten(listener: (written: boolean) => void): void {
    this.listeners.push(listener);
  }
}

function exchangeOf(event: H3Event): NodeExchange | WebExchange {
  const node = event.runtime?.node;
  // A host that speaks HTTP/2 gives other classes.
  return node?.req instanceof IncomingMessage && node.res instanceof ServerResponse
    ? new NodeExchange(event, { req: node.req, res: node.res })
    : new WebExchange(event);
}

/** What a handler of the framework gives for a response that it has written itself. */
const handled = Symbol.for("h3.handled");

/** Where our exchanges meet the framework, which finds the handler of a request. */
export interface Bridge {
  /** A handler as the framework calls it. */
  readonly handler: (handle: Handle) => (event: H3Event) => Promise<unknown>;
  /** What the framework calls for an error. */
  readonly failure: <E>(
    handle: (exchange: Exchange, error: E) => HttpResponse,
  ) => (error: E, event: H3Event) => unknown;
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
    const own = event.runtime?.node;
    if (!(own instanceof OwnNodeSide) || event.app?.["~middleware"].length !== 0) {
      return toWebResponse(response, exchange.method, []);
    }
    own.isAnswered = true;
    writeResponse(own.res, response);
    return handled;
  };
  return {
    handler: (handle) => async (event) => {
      const exchange = exchangeOf(event);
      return give(event, exchange, await handle(exchange));
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

/**
 * The application as a handler for a Node server. It never throws.
 * @param fail answers what went wrong outside of every handler
 */
export const createNodeHandler =
  (app: H3, fail: (res: ServerResponse, cause: unknown) => void) =>
  (req: IncomingMessage, res: ServerResponse): void => {
    answer(app, new OwnNodeSide(req, res)).catch((cause: unknown) => fail(res, cause));
  };
