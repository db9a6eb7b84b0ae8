import { callerAddress } from "@telex/core/transport";
import type { Exchange } from "./exchange.ts";

/**
 * The address that a request came from; null if the host does not report it.
 * @param proxies proxies in front that add to `X-Forwarded-For`
 */
export const addressOf = (exchange: Pick<Exchange, "address" | "header">, proxies: number): string | null =>
  callerAddress({ socketAddress: exchange.address, forwardedFor: exchange.header("x-forwarded-for") }, proxies);
