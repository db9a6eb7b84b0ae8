/** A command that was written wrongly: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A command that could not do what it was asked to: exit code 1. */
export class Failure extends Error {
  override readonly name = "Failure";
  /** One word for programs, like the `error` of an answer. */
  readonly error: string;

  constructor(error: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.error = error;
  }
}

/** The message of whatever was thrown. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/** The `code` of a system error, or undefined. */
export const codeOf = (thrown: unknown): string | undefined =>
  thrown instanceof Error && "code" in thrown && typeof thrown.code === "string" ? thrown.code : undefined;
