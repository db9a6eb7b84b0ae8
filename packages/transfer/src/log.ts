import type { RecordKey, RecordKind } from "@telex/core/storage";

/** The progress of a transfer. */
export interface TransferState {
  /** Names the source, so that a transfer goes on from the same one. */
  readonly source: string;
  /** The kind that is being moved; null when all records are there. */
  readonly kind: RecordKind | null;
  /** The greatest key of this kind that is in the target for good; null for none. */
  readonly after: RecordKey | null;
}

/** Where a transfer notes how far it has come, so that it goes on after a kill. */
export interface TransferLog {
  /** The last state that was saved, or null. */
  load(): Promise<TransferState | null>;
  /** Notes a state in place of the one before. Durable when it resolves. */
  save(state: TransferState): Promise<void>;
}
