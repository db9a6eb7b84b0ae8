import { AsyncLocalStorage } from "node:async_hooks";
import type { Current } from "../sessions/sessions.ts";

/** Facts about one request that the provider answers. */
interface RequestState {
  /** The session of Telex that the browser has; null without one. */
  readonly current: Current | null;
  /** The network of the client, as limits count it. */
  readonly network: string;
  /** The code or refresh token that the request has used up. */
  used: { readonly model: string; readonly digest: string } | null;
  /** Counts something that waits for a person, before it is stored. Throws TelexError `rate_limited`. */
  readonly wait: () => void;
}

/** Carries the state of a request to the adapter. */
export type RequestStates = AsyncLocalStorage<RequestState>;

export const createRequestStates = (): RequestStates => new AsyncLocalStorage<RequestState>();
