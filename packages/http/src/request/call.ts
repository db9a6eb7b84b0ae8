import { anonymous, type Caller } from "@telex/core";
import type { CallContext, CallRequest } from "@telex/core/contract";
import type { Refuse } from "../response/http-response.ts";
import { addressOf } from "../exchange/address.ts";
import type { Exchange } from "../exchange/exchange.ts";

/**
 * One call of an operation, from its start until its response was written or could not be. A class, because a literal with a
 * getter gets a hidden class of its own each time, and keeps all it refers to until a full garbage collection (decision 15).
 */
export class Call implements CallContext {
  readonly exchange: Exchange;
  readonly refuse: Refuse;
  /** The caller, once the token is checked. */
  caller: Caller = anonymous;
  /** Headers of the response, whether the call succeeds or not; null without any. */
  headers: Readonly<Record<string, string>> | null = null;
  /** True once the request was seen to carry credentials. */
  hadToken = false;
  #listeners: ((written: boolean) => void)[] = [];
  #outcome: boolean | null = null;
  #charge: (calls: number) => number = () => 0;

  readonly #proxies: number;

  /**
   * Begins a call.
   * @param proxies proxies in front of the server that add to `X-Forwarded-For`
   */
  constructor(exchange: Exchange, refuse: Refuse, proxies: number) {
    this.exchange = exchange;
    this.refuse = refuse;
    this.#proxies = proxies;
  }

  get request(): CallRequest {
    return {
      header: (name) => this.exchange.header(name),
      address: () => addressOf(this.exchange, this.#proxies),
      setHeader: (name, value) => {
        this.headers = { ...this.headers, [name]: value };
      },
    };
  }

  get signal(): AbortSignal {
    return this.exchange.signal;
  }

  get trace(): CallContext["trace"] {
    const traceparent = this.exchange.header("traceparent");
    return traceparent === null ? undefined : { traceparent, tracestate: this.exchange.header("tracestate") };
  }

  /**
   * Lets the call continue.
   * @param charge counts more calls in the rate of the caller, and returns how many it has counted
   */
  admit(caller: Caller, charge: (calls: number) => number): void {
    this.caller = caller;
    this.#charge = charge;
  }

  /**
   * Counts more calls in the rate of the caller; below 0 gives some back.
   * @returns how many were counted
   */
  charge(calls: number): number {
    return calls === 0 ? 0 : this.#charge(calls);
  }

  onWritten(listener: (written: boolean) => void): void {
    if (this.#outcome !== null) return listener(this.#outcome);
    const count = this.#listeners.push(listener);
    if (count === 1) this.exchange.onWritten((written) => this.#settle(written));
  }

  /** The operation has failed, so its response is not written. */
  fail(): void {
    this.#settle(false);
  }

  #settle(written: boolean): void {
    this.#outcome ??= written;
    for (const listener of this.#listeners.splice(0)) listener(this.#outcome);
  }
}
