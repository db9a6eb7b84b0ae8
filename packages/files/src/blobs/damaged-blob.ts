const brand = Symbol.for("telex.damaged-blob");

/**
 * Bytes of a blob that its store has lost permanently. The stream of a blob rejects with it, and only if the store is sure. A
 * backup or a copy then treats the file as damaged; for all other callers it is an internal error.
 */
export class DamagedBlobError extends Error {
  override readonly name = "DamagedBlobError";
  readonly [brand] = true;

  /** True for an error of this class, also when another copy of the package made it. */
  static is(value: unknown): value is DamagedBlobError {
    return typeof value === "object" && value !== null && brand in value;
  }
}
