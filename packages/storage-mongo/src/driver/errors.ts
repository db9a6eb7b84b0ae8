import { TelexError } from "@telex/core";
import { MongoError, MongoNetworkError, MongoServerError, MongoServerSelectionError } from "mongodb";

/** Why a database cannot be used as a storage of Telex. */
export type MongoStorageFault =
  | "invalid_url"
  | "unreachable"
  | "standalone"
  | "no_primary"
  | "wrong_set"
  | "too_old"
  | "wrong_password"
  | "missing_rights"
  | "newer"
  | "incomplete"
  | "missing"
  | "history_too_short"
  | "unusable";

/** A database that cannot be used. Its message is a complete sentence for the operator, without the password. */
export class MongoStorageError extends Error {
  override readonly name = "MongoStorageError";
  /** The fault, as a word. */
  readonly fault: MongoStorageFault;

  constructor(fault: MongoStorageFault, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.fault = fault;
  }
}

const codes = {
  unauthorized: 13,
  authenticationFailed: 18,
  commandNotFound: 59,
  historyLost: 286,
  snapshotTooOld: 239,
  writeConflict: 112,
  /** MongoDB 8.0 whose feature compatibility version is still an earlier one. */
  commandNotSupported: 115,
  /** MongoDB Atlas answers all its refusals with this code. */
  atlas: 8000,
  duplicateKey: 11_000,
  outOfDiskSpace: 14_031,
} as const;

/**
 * Codes of transient faults, which concern the server and not the command: it steps down, shuts down, has lost its network, the transaction
 * or a cursor (43, 237); another transaction was first; a majority cannot be read yet (134); a plan ended because an index or a collection
 * changed (175); the server is too busy (365), or cannot confirm in time that it is still the primary (50); an operator has blocked writes
 * (278); another server considered this one dead and ended its sessions, which interrupts the running command (11601).
 */
const serverFaults: ReadonlySet<number> = new Set([
  6, 7, 24, 43, 46, 50, 64, 89, 91, 112, 134, 175, 189, 202, 225, 226, 237, 244, 246, 251, 262, 278, 290, 317, 365, 384,
  9001, 10_058, 10_107, 11_600, 11_601, 11_602, 13_435, 13_436,
]);

const codeOf = (error: unknown): number | null =>
  error instanceof MongoServerError && typeof error.code === "number" ? error.code : null;

const hasLabel = (error: unknown, label: string): boolean => error instanceof MongoError && error.hasErrorLabel(label);

/** True if a document with the same unique key was stored first. */
export const isDuplicate = (error: unknown): boolean => codeOf(error) === codes.duplicateKey;

/** True if the login failed. */
export const isWrongPassword = (error: unknown): boolean =>
  codeOf(error) === codes.authenticationFailed ||
  (error instanceof MongoServerError && codeOf(error) === codes.atlas && error.message.startsWith("bad auth"));

/** True if the user of the database may not run the command. */
export const isMissingRight = (error: unknown): boolean => codeOf(error) === codes.unauthorized;

/** True if the server does not have the command. */
export const isUnsupported = (error: unknown): boolean =>
  codeOf(error) === codes.commandNotFound || codeOf(error) === codes.commandNotSupported;

/** A transaction was abandoned before its commit, because of the documents that it would have stored. It may be run again. */
export class RunAgain extends Error {}

/** True if the transaction was certainly not committed. */
export const isAborted = (error: unknown): boolean => hasLabel(error, "TransientTransactionError");

/** True if another transaction has written the same documents. */
export const isWriteConflict = (error: unknown): boolean => codeOf(error) === codes.writeConflict;

/** True after a write conflict, a duplicate key, or a wrong guess about a document. */
export const isConflict = (error: unknown): boolean =>
  error instanceof RunAgain || isDuplicate(error) || isWriteConflict(error);

/** True if the database no longer has the changes after a position in a change stream. */
export const isHistoryLost = (error: unknown): boolean => codeOf(error) === codes.historyLost;

/** True if the database no longer has the data of a snapshot. */
export const isSnapshotTooOld = (error: unknown): boolean => codeOf(error) === codes.snapshotTooOld;

/** True if no connection was free in time. The driver does not export the class. */
const isQueueTimeout = (error: unknown): boolean =>
  error instanceof Error && error.name === "MongoWaitQueueTimeoutError";

/** True if the server or the network failed, not the command. */
export function isServerFault(error: unknown): boolean {
  if (error instanceof MongoNetworkError || error instanceof MongoServerSelectionError || isQueueTimeout(error))
    return true;
  const code = codeOf(error);
  return code !== null && serverFaults.has(code);
}

/** True if the attempt had no effect or can be repeated, and a repeat may succeed. */
export const isTransient = (error: unknown): boolean =>
  error instanceof RunAgain ||
  isAborted(error) ||
  isDuplicate(error) ||
  hasLabel(error, "RetryableWriteError") ||
  isServerFault(error);

/** True if the outcome of the commit is unknown: only the commit may be repeated. */
export const isInDoubt = (error: unknown): boolean =>
  !isAborted(error) && (hasLabel(error, "UnknownTransactionCommitResult") || isServerFault(error));

/** The error for the caller of a verb. The driver's error is the cause, for the log. */
export function storageError(error: unknown): TelexError {
  if (error instanceof TelexError) return error;
  if (error instanceof RunAgain) return new TelexError("storage_unavailable", { cause: error });
  if (!(error instanceof MongoError)) return TelexError.from(error);
  if (codeOf(error) === codes.outOfDiskSpace) return new TelexError("storage_full", { cause: error });
  const code = codeOf(error);
  const isUnavailable = code === null || serverFaults.has(code) || isMissingRight(error) || isWrongPassword(error);
  return isUnavailable ? new TelexError("storage_unavailable", { cause: error }) : TelexError.from(error);
}

/** Runs a call of the driver, and rejects with {@link storageError}. */
export async function guarded<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw storageError(error);
  }
}
