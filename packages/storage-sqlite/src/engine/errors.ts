import { TelexError } from "@telex/core";

/** Why a file cannot be used as a Telex database. */
export type SqliteFileFault = "missing" | "not_a_database" | "foreign" | "newer" | "in_use" | "unusable" | "exists";

/** A database file that cannot be used as requested. Its message is a complete sentence for the operator. */
export class SqliteFileError extends Error {
  override readonly name = "SqliteFileError";
  /** The fault, as a word. */
  readonly fault: SqliteFileFault;

  constructor(fault: SqliteFileFault, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.fault = fault;
  }
}

/** The primary result codes of SQLite that concern the disk or a lock. */
const codes = { busy: 5, locked: 6, readonly: 8, ioerr: 10, corrupt: 11, full: 13, cantopen: 14, notadb: 26 } as const;

/** The primary result code of an error of `node:sqlite`, or null for any other value. */
function resultCode(error: unknown): number | null {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return null;
  return error.errcode & 0xff;
}

/** True if another connection holds the required lock. */
export const isBusy = (error: unknown): boolean => {
  const code = resultCode(error);
  return code === codes.busy || code === codes.locked;
};

/** True if the disk or a lock failed, not the statement. */
const isEnvironmental = (code: number): boolean => Object.values(codes).some((one) => one === code);

/**
 * The error for the caller of a verb: `storage_full` if the disk accepts no writes, `storage_unavailable`, or `internal` for a bug.
 * The SQL error is the cause, for the log.
 */
export function storageError(error: unknown, during: "read" | "write"): TelexError {
  const code = resultCode(error);
  if (code === null || !isEnvironmental(code)) return TelexError.from(error);
  const full = code === codes.full || code === codes.readonly || (code === codes.ioerr && during === "write");
  return new TelexError(full ? "storage_full" : "storage_unavailable", { cause: error });
}

/** The error for a file that could not be opened. */
export function fileError(file: string, error: unknown): SqliteFileError {
  if (error instanceof SqliteFileError) return error;
  if (resultCode(error) === codes.notadb)
    return new SqliteFileError("not_a_database", `${file} is not a database.`, { cause: error });
  const reason = error instanceof Error ? error.message : String(error);
  return new SqliteFileError("unusable", `${file} cannot be opened: ${reason}.`, { cause: error });
}
