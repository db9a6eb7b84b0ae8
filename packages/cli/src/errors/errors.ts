/** A command with wrong arguments or settings: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The fault of one field of a request, for a person. */
export interface FieldIssue {
  readonly path: string;
  readonly message: string;
}

/** A command that failed: exit code 1. */
export class Failure extends Error {
  override readonly name = "Failure";
  /** One word for programs, like the `error` of a response. */
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

/** The message of any thrown value. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/** True for an import that failed because a package is not installed. */
const isNotInstalled = (thrown: unknown): boolean =>
  codeOf(thrown) === "MODULE_NOT_FOUND" || codeOf(thrown) === "ERR_MODULE_NOT_FOUND";

/**
 * The module that an import resolves with.
 * @param missing makes the error for a package that is not installed
 */
export const installed = <T>(imported: Promise<T>, missing: (cause: unknown) => Failure): Promise<T> =>
  imported.catch((cause: unknown) => {
    throw isNotInstalled(cause) ? missing(cause) : cause;
  });

/** The `code` of a system error, or undefined. */
export const codeOf = (thrown: unknown): string | undefined =>
  thrown instanceof Error && "code" in thrown && typeof thrown.code === "string" ? thrown.code : undefined;
