import type { ProgressBar } from "../transfer/progress.ts";
import type { FilesReport } from "@telex/transfer";
import type { BackupFolder } from "./backup-folder.ts";
/** The backup that is restored. */
export interface Wanted {
  /** The backup. */
  readonly folder: BackupFolder;
  /** The file with the secret key of an encrypted backup. */
  readonly identity: string | null;
  readonly bar: ProgressBar;
}

/** The result of a restore. */
export interface Restored {
  /** The name of the database. */
  readonly name: string;
  readonly files: FilesReport;
}
