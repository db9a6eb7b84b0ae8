import type { TelexClientError } from "@telex/http/client";
import { Failure } from "../errors/errors.ts";

/** An error response of the server. */
export class Refusal extends Failure {
  readonly status: number;
  /** Milliseconds after which the server accepts a repeat, or null if it does not say. */
  readonly retryAfter: number | null;

  constructor({ code, message, issues, status, retryAfter }: TelexClientError) {
    super(code, message, { issues });
    this.status = status;
    this.retryAfter = retryAfter === undefined ? null : retryAfter * 1000;
  }

  /** True if the same call may succeed later. */
  get passing(): boolean {
    return this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

/** True for an error after which a repeat of the call may succeed: there was no response, or a temporary refusal. */
export const canPass = (error: unknown): boolean =>
  error instanceof Refusal ? error.passing : error instanceof Failure && error.error === "unreachable";
