import type { ByteStream } from "@telex/core/storage";

/** A backup being written. */
export interface Target {
  /** The local folder of the backup; null if it is not local. */
  readonly folder: string | null;
  /** Writes a file. Rejects with the error of the stream. */
  put(name: string, bytes: ByteStream): Promise<void>;
  /** Removes a written file. */
  drop(name: string): Promise<void>;
  /** Completes the backup: it gets its name and becomes durable. Call it after the manifest, the last file. */
  complete(): Promise<void>;
}

/** The location of one backup, or of several. */
export interface BackupFolder {
  /** Its address in messages. */
  readonly name: string;
  /** A folder below this one. */
  child(name: string): BackupFolder;
  /** The names below this folder. Empty if the folder does not exist. */
  children(): Promise<readonly string[]>;
  /**
   * Begins a backup, and removes the remains of an interrupted one.
   * @throws Failure `target_not_empty`
   */
  begin(): Promise<Target>;
  /** True if the file exists. */
  has(name: string): Promise<boolean>;
  /** The bytes of a file, or null if it does not exist. */
  open(name: string): Promise<ByteStream | null>;
  /** Removes a backup. The remains of an interrupted removal never look complete. */
  remove(): Promise<void>;
}

/** The last file of a backup, which lists all others. Without it, a backup is incomplete. */
export const manifestName = "manifest.ndjson";

/** The database in a backup. */
export const databaseName = "telex.db";

/** The suffix of encrypted files. */
export const sealedSuffix = ".age";

/** True for names that the folder of a complete or partial backup may contain. */
export const isOurs = (name: string): boolean => /^(telex\.db[\w.-]*|manifest\.ndjson(\.partial)?|blobs)$/.test(name);

/** True for the path of a file of a backup, except the manifest. */
export const isFilePath = (name: string): boolean =>
  /^(telex\.db|blobs\/[0-9a-f]{2}\/[0-9a-f]{32}(\.[A-Za-z0-9]{1,32})?)(\.age)?$/.test(name);
