/** What went wrong with a service. Never holds what the service said, which may hold anything, nor the key. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  /** True where the same request may succeed a moment later. */
  readonly isTransient: boolean;
  /** Milliseconds after which the service wants to be asked again; 0 where it says nothing. */
  readonly retryAfter: number;

  constructor(message: string, options: { readonly isTransient?: boolean; readonly retryAfter?: number } = {}) {
    super(message);
    this.isTransient = options.isTransient ?? false;
    this.retryAfter = options.retryAfter ?? 0;
  }
}

const word = /^[\w.-]{1,64}$/;

const codeOf = (cause: unknown): string =>
  typeof cause === "object" &&
  cause !== null &&
  "code" in cause &&
  typeof cause.code === "string" &&
  word.test(cause.code)
    ? cause.code
    : "unknown";

/** What the network failed with, by its code only. */
export const networkError = (cause: unknown): ServiceError =>
  cause instanceof ServiceError
    ? cause
    : new ServiceError(`The connection to the AI service failed (${codeOf(cause)}).`, { isTransient: true });

/** The words of an error in the OpenAI form that are safe to log: its type and its code. */
export function errorWords(body: unknown): string {
  const error: unknown = typeof body === "object" && body !== null && "error" in body ? body.error : null;
  if (typeof error !== "object" || error === null) return "";
  const words = ["type", "code"].flatMap((name) => {
    const value: unknown = Reflect.get(error, name);
    return typeof value === "string" && word.test(value) ? [`${name} ${value}`] : [];
  });
  return words.length === 0 ? "" : ` (${words.join(", ")})`;
}
