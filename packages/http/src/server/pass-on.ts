import type { IncomingMessage, ServerResponse } from "node:http";
import type { H3 } from "h3";
import type { HTTPError } from "h3";
import { NodeRequest, sendNodeResponse } from "srvx/node";
import type { Exchange } from "../exchange/exchange.ts";
import { NodeExchange, WebExchange } from "../exchange/exchanges.ts";
import type { HttpResponse } from "../response/http-response.ts";
import { toWebResponse } from "../response/web.ts";
import { linger } from "./linger.ts";
import type { Handle, Paths } from "./paths.ts";

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

/** The path and query of a URL, as they were sent. */
export function pathAndQuery(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  return start < 0 ? "/" : url.slice(start);
}

export async function responseOf(
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

/** Passes a response to a host that takes a `Response`. */
export function giveResponse(
  exchange: NodeExchange | WebExchange,
  response: HttpResponse,
  lingerTime: number,
): Response {
  if (exchange instanceof WebExchange) return toWebResponse(response, exchange.method, exchange.listeners);
  linger(exchange.node, lingerTime);
  return toWebResponse(response, exchange.method, []);
}

/** Lets the framework answer a request of a Node server. */
export async function passOn(app: H3, req: IncomingMessage, res: ServerResponse): Promise<void> {
  await sendNodeResponse(res, await app.fetch(new NodeRequest({ req, res })));
}
