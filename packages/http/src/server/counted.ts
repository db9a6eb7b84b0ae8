import { anonymous } from "@telex/core";
import { addressOf } from "../exchange/address.ts";
import type { HandlerOptions } from "./handler.ts";
import { rateHeaders } from "./rate-headers.ts";
import type { Answer } from "./router.ts";

/** Counts each request as a call of its address, and refuses those above the rate. */
export const counted =
  ({ limiter, proxies }: Pick<HandlerOptions, "limiter" | "proxies">, answer: Answer): Answer =>
  async (exchange, refuse) => {
    const call = limiter.count(anonymous, () => addressOf(exchange, proxies), 1);
    const headers = rateHeaders(call) ?? {};
    if (call.refusal !== null) return refuse(call.refusal, { headers });
    const response = await answer(exchange, refuse);
    return { ...response, headers: { ...response.headers, ...headers } };
  };
