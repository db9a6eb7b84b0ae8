import { Refusal } from "../client/refusal.ts";
import { Failure } from "../errors/errors.ts";

/** True for an error in which the server says that it did not act, over HTTP or a WebSocket. */
export const isRefused = (error: unknown): error is Failure =>
  error instanceof Refusal || (error instanceof Failure && error.error === "refused");
