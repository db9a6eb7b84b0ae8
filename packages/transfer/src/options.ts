import type { BlobStore, RecordKind, RecordStore } from "@telex/core/storage";
import type { RecordDigest } from "./digest.ts";
import type { FilesReport } from "./files.ts";
import type { TransferLog } from "./log.ts";

/** The progress of a transfer. */
export interface TransferProgress {
  readonly phase: "records" | "files" | "check";
  /** Records or files. */
  readonly done: number;
  readonly total: number;
}

/** Options of {@link transfer}. */
export interface TransferOptions {
  /** A storage that no server uses during the transfer. */
  readonly from: { readonly records: RecordStore };
  /** An empty storage, or one that an earlier attempt of this transfer has begun to fill. */
  readonly to: { readonly records: RecordStore };
  readonly fromBlobs: Pick<BlobStore, "open" | "list">;
  readonly toBlobs: BlobStore;
  /** Lets the transfer continue after a kill. `source` identifies the source. Without it, the target must be empty. */
  readonly resume?: { readonly log: TransferLog; readonly source: string };
  /** Leave out files whose bytes are missing or damaged, and report them. Default false: the first one ends the transfer. */
  readonly skipDamaged?: boolean;
  readonly progress?: (progress: TransferProgress) => void;
}

/** The records and files that were moved, counted after both sides were read to the end. */
export interface TransferReport {
  readonly records: { readonly [Kind in RecordKind]: RecordDigest };
  readonly files: FilesReport;
  /** True if an earlier call began the transfer. */
  readonly resumed: boolean;
}
