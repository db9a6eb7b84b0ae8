import type { RecordKey, RecordKind } from "@telex/core/storage";

/** The progress of a transfer. */
export interface TransferState {
  /** Identifies the source, so that a transfer continues from the same one. */
  readonly source: string;
  /** The kind that is being moved; null when all records are in the target. */
  readonly kind: RecordKind | null;
  /** The greatest key of this kind that is durably in the target; null for none. */
  readonly after: RecordKey | null;
}

/** Stores the progress of a transfer, so that it continues after a kill. */
export interface TransferLog {
  /** The last state that was saved, or null. */
  load(): Promise<TransferState | null>;
  /** Replaces the saved state. Durable when it resolves. */
  save(state: TransferState): Promise<void>;
}
