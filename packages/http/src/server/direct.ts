import type { IncomingMessage, ServerResponse } from "node:http";
import type { Exchange } from "../exchange/exchange.ts";
import { NodeHeaders } from "../exchange/node-headers.ts";
import type { HttpResponse } from "../response/http-response.ts";
import { NodeExchange } from "../exchange/exchanges.ts";

/** Answers an exchange. */
export type Handle = (exchange: Exchange) => HttpResponse | Promise<HttpResponse>;

/** A request with the handler of its path. */
export interface DirectCall {
  readonly exchange: NodeExchange;
  readonly handle: Handle;
}

/** Handlers by path and method. */
export interface DirectPaths {
  readonly add: (method: string, path: string, handle: Handle) => void;
  /** Null for a request that the framework must look at. */
  readonly find: (req: IncomingMessage, res: ServerResponse) => DirectCall | null;
}

/** A path without fields that stands for itself in a request: nothing in it is encoded or normalised. */
const plainPath = /^(?:\/[\w~-][\w.~-]*)+$/;

/** A query in which the framework would encode nothing: visible ASCII without `"`, `#`, `'`, `<` and `>`. */
const plainQuery = /^[!$-&(-;=?-~]*$/;

/** Paths that need nothing of the framework: it would find the same handler, and make a URL, a `Request` and an event before. */
export function createDirectPaths(): DirectPaths {
  const paths = new Map<string, Map<string, Handle>>();
  return {
    add(method, path, handle) {
      if (plainPath.test(path)) paths.set(path, (paths.get(path) ?? new Map<string, Handle>()).set(method, handle));
    },
    find(req, res) {
      const { url = "", method = "" } = req;
      const end = url.indexOf("?");
      const path = end < 0 ? url : url.slice(0, end);
      const handle = paths.get(path)?.get(method);
      if (handle === undefined) return null;
      const search = end < 0 ? "" : url.slice(end);
      if (!plainQuery.test(search)) return null;
      const target = { method, path, search, params: {} };
      return { exchange: new NodeExchange({ req, res }, target, new NodeHeaders(req)), handle };
    },
  };
}
