import { chooseLocale, type Locale } from "@telex/core";
import type { H3Event } from "h3";
import { Call } from "./call.ts";
import { failure, type Refuse } from "../response/reply.ts";

/** One request to one endpoint, on its way to an answer. */
export interface Exchange {
  readonly event: H3Event;
  readonly call: Call;
  readonly refuse: Refuse;
  /** Headers of the answer, whatever it becomes. */
  readonly headers: Record<string, string>;
  /** True once the request was seen to carry credentials. */
  hadToken: boolean;
}

/** Makes failures in the language that a request asks for. */
export function refuserOf(event: H3Event, fallback: Locale): Refuse {
  return (error, options) => {
    const locale = chooseLocale(event.req.headers.get("accept-language"), fallback);
    return failure(error, locale, options);
  };
}

/** Begins an exchange. */
export const openExchange = (event: H3Event, refuse: Refuse): Exchange => ({
  event,
  call: new Call(event),
  refuse,
  headers: {},
  hadToken: false,
});
