import type { ByteStream } from "@telex/core/storage";

/** A backup that is being written. */
export interface Target {
  /** The folder in which it is written, or null if it is not on this machine. */
  readonly folder: string | null;
  /** Writes a file. Rejects with what the stream throws. */
  put(name: string, bytes: ByteStream): Promise<void>;
  /** Removes a file that was written. */
  drop(name: string): Promise<void>;
  /** All files are written, the manifest last. Afterwards the backup has its name and is on the disk. */
  complete(): Promise<void>;
}

/** Where one backup is, or where several are. */
export interface Place {
  /** Its address, for a person. */
  readonly name: string;
  /** A place below this one. */
  child(name: string): Place;
  /** The names below this place, such as those of folders. None if there is no such place. */
  children(): Promise<readonly string[]>;
  /**
   * Begins a backup, and removes what an interrupted one has left here.
   * @throws Failure `target_not_empty`
   */
  begin(): Promise<Target>;
  /** True if there is a file with this name. */
  has(name: string): Promise<boolean>;
  /** The bytes of a file, or null if it is not there. */
  open(name: string): Promise<ByteStream | null>;
  /** Removes a backup, so that it is never taken for a complete one meanwhile. */
  remove(): Promise<void>;
}

/** The last file of a backup: it lists all others. Without it, a backup is not complete. */
export const manifestName = "manifest.ndjson";

/** The database in a backup. */
export const databaseName = "telex.db";

/** What the name of an encrypted file ends with. */
export const sealedSuffix = ".age";

/** What the folder of a backup, or of a part of one, may have in it. */
export const isOurs = (name: string): boolean => /^(telex\.db[\w.-]*|manifest\.ndjson(\.partial)?|blobs)$/.test(name);

/** The path of a file of a backup, except the manifest. */
export const isFilePath = (name: string): boolean =>
  /^(telex\.db|blobs\/[0-9a-f]{2}\/[0-9a-f]{32}(\.[A-Za-z0-9]{1,32})?)(\.age)?$/.test(name);
