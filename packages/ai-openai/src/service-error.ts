import { field, jsonOf } from "./fields.ts";

/** A failure of a service. It never contains the key or the service's own words, which may contain anything. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  /** True if the same request may succeed a moment later. */
  readonly isTransient: boolean;
  /** True if the service refuses the request itself, so that another request may succeed. */
  readonly isRefusal: boolean;
  /** Milliseconds after which the service accepts a repeat; 0 if the service names no time. */
  readonly retryAfter: number;

  constructor(message: string, options: Partial<Pick<ServiceError, "isTransient" | "isRefusal" | "retryAfter">> = {}) {
    super(message);
    this.isRefusal = options.isRefusal ?? false;
    this.isTransient = options.isTransient ?? false;
    this.retryAfter = options.retryAfter ?? 0;
  }
}

/**
 * The types and codes of errors that may be logged. Other words are left out, because a service may send the key in them.
 */
const knownWords: ReadonlySet<string> = new Set([
  "api_error",
  "authentication_error",
  "billing_error",
  "billing_hard_limit_reached",
  "billing_not_active",
  "content_filter",
  "content_policy_violation",
  "context_length_exceeded",
  "insufficient_quota",
  "internal_error",
  "internal_server_error",
  "invalid_api_key",
  "invalid_request_error",
  "model_not_found",
  "not_found_error",
  "overloaded_error",
  "permission_denied",
  "permission_error",
  "rate_limit_error",
  "rate_limit_exceeded",
  "requests",
  "server_error",
  "service_unavailable",
  "string_above_max_length",
  "timeout",
  "timeout_error",
  "tokens",
  "unsupported_country_region_territory",
  "unsupported_parameter",
  "unsupported_value",
]);

/** Error codes of Node and undici. */
const networkCode = /^[A-Z][A-Z0-9_]{1,63}$/;

function codeOf(cause: unknown): string {
  const code = field(cause, "code");
  return typeof code === "string" && networkCode.test(code) ? code : "unknown";
}

/** A failure of the network, with its code only. */
export const networkError = (cause: unknown): ServiceError =>
  cause instanceof ServiceError
    ? cause
    : new ServiceError(`The connection to the AI service failed (${codeOf(cause)}).`, { isTransient: true });

/**
 * Parses JSON from a service.
 * @param what the name of the text in the error
 * @throws ServiceError if the text is not JSON
 */
export function readJson(text: string, what: string): unknown {
  const value = jsonOf(text);
  if (value !== undefined) return value;
  throw new ServiceError(`The AI service sent ${what} that is not JSON.`, { isTransient: true });
}

/** The type and code of an error in the OpenAI form, if they are known and therefore safe to log. */
export function errorWords(body: unknown): string {
  const words = ["type", "code"].flatMap((name) => {
    const value = field(field(body, "error"), name);
    return typeof value === "string" && knownWords.has(value) ? [`${name} ${value}`] : [];
  });
  return words.length === 0 ? "" : ` (${words.join(", ")})`;
}
