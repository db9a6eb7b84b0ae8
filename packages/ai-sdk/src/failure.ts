import { AISDKError, APICallError, UnsupportedFunctionalityError } from "@ai-sdk/provider";
import { TelexError } from "@telex/core";

/** A failure of a provider. It never contains the key or the provider's own words, which may contain anything. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  /** True if the same request may succeed a moment later. */
  readonly isTransient: boolean;
  /** True if the provider refuses the request itself. */
  readonly isRefusal: boolean;
  /** Milliseconds after which the provider accepts a repeat; 0 if it names no time. */
  readonly retryAfter: number;

  constructor(message: string, options: Partial<Pick<ProviderError, "isTransient" | "isRefusal" | "retryAfter">> = {}) {
    super(message);
    this.isTransient = options.isTransient ?? false;
    this.isRefusal = options.isRefusal ?? false;
    this.retryAfter = options.retryAfter ?? 0;
  }
}

/** Statuses with which providers refuse the key, the model, or any request for now. Others below 500 refuse the content of the request. */
const elsewhere: ReadonlySet<number> = new Set([401, 403, 404, 408, 429]);
const longestWait = 5000;
/** The names of the SDK's own errors. */
const sdkName = /^AI_\w{1,64}$/;

const waitOf = (headers: Readonly<Record<string, string>> = {}): number => {
  const seconds = Number(headers["retry-after"]);
  return seconds > 0 ? Math.min(seconds * 1000, longestWait) : 0;
};

function ofCall({ statusCode, isRetryable, responseHeaders }: APICallError): ProviderError {
  if (statusCode === undefined)
    return new ProviderError("The connection to the provider failed.", { isTransient: isRetryable });
  const isRefusal = statusCode >= 400 && statusCode < 500 && !elsewhere.has(statusCode);
  const isTransient = isRetryable && !isRefusal;
  const retryAfter = waitOf(responseHeaders);
  return new ProviderError(`The provider answered ${statusCode}.`, { isTransient, isRefusal, retryAfter });
}

/** The failure without the words of the provider. */
export function failureOf(cause: unknown): ProviderError {
  if (cause instanceof ProviderError) return cause;
  if (APICallError.isInstance(cause)) return ofCall(cause);
  const isRefusal = UnsupportedFunctionalityError.isInstance(cause);
  const name = AISDKError.isInstance(cause) && sdkName.test(cause.name) ? cause.name : "unknown";
  return new ProviderError(`The provider failed (${name}).`, { isRefusal });
}

/** The failure as callers see it. The cause is for the log. */
export const unavailable = (cause: ProviderError): TelexError =>
  cause.isRefusal
    ? new TelexError("invalid_request", { reason: "model_refused", cause })
    : new TelexError("ai_unavailable", { cause });
