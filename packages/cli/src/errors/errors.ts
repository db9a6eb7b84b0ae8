/** A command that was written wrongly: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** What is wrong with one field of a request, for a person. */
export interface FieldIssue {
  readonly path: string;
  readonly message: string;
}

/** A command that could not do what it was asked to: exit code 1. */
export class Failure extends Error {
  override readonly name = "Failure";
  /** One word for programs, like the `error` of an answer. */
  readonly error: string;
  readonly issues: readonly FieldIssue[];

  constructor(
    error: string,
    message: string,
    options: ErrorOptions & { readonly issues?: readonly FieldIssue[] } = {},
  ) {
    super(message, options);
    this.error = error;
    this.issues = options.issues ?? [];
  }
}

/** The message of whatever was thrown. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/** True for an import that failed because a package is not installed. */
const isNotInstalled = (thrown: unknown): boolean =>
  codeOf(thrown) === "MODULE_NOT_FOUND" || codeOf(thrown) === "ERR_MODULE_NOT_FOUND";

/**
 * What an import brings.
 * @param missing what it rejects with if the package is not installed
 */
export const installed = <T>(imported: Promise<T>, missing: (cause: unknown) => Failure): Promise<T> =>
  imported.catch((cause: unknown) => {
    throw isNotInstalled(cause) ? missing(cause) : cause;
  });

/** The `code` of a system error, or undefined. */
export const codeOf = (thrown: unknown): string | undefined =>
  thrown instanceof Error && "code" in thrown && typeof thrown.code === "string" ? thrown.code : undefined;
