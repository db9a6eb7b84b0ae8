import type { Locale } from "@telex/core/transport";
import { type Exchange, languageOf } from "../exchange/exchange.ts";
import { failure, type Refuse } from "./http-response.ts";

/** Makes failures in the language that a request asks for. */
export function refuserOf(exchange: Exchange, fallback: Locale): Refuse {
  return (error, options) => failure(error, languageOf(exchange, fallback), options);
}
