import type { Observer } from "@telex/core";
import { addressKey } from "@telex/core/transport";
import { addressOf } from "../exchange/address.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Handle } from "./paths.ts";

/** Methods that are named; others are `other`, because a client can send any word. */
const named = new Set(["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"]);

/** The network that a request came from. */
function networkOf(exchange: Exchange, proxies: number): string | null {
  const address = addressOf(exchange, proxies);
  return address === null ? null : addressKey(address);
}

/** Puts an observer of responses around the handler of a path. */
export type ObserveHandle = (path: string, handle: Handle) => Handle;

/**
 * Reports every response to an observer; handlers stay as they are if it does not listen.
 * @param proxies proxies in front that add to `X-Forwarded-For`
 */
export function createObserveHandle({ response: tell }: Observer, proxies: number): ObserveHandle {
  if (tell === undefined) return (_path, handle) => handle;
  return (path, handle) => {
    // Every path that is not found has one name.
    const route = path === "/**" ? "other" : path;
    return async (exchange) => {
      const begun = performance.now();
      let status = 500;
      try {
        const response = await handle(exchange);
        ({ status } = response);
        return response;
      } finally {
        const method = named.has(exchange.method) ? exchange.method : "other";
        tell({ method, route, status, ms: performance.now() - begun, address: () => networkOf(exchange, proxies) });
      }
    };
  };
}
