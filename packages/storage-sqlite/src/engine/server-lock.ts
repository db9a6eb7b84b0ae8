import { makePrivateFile } from "./directories.ts";
import { fileError, isBusy, SqliteFileError } from "./errors.ts";
import { DatabaseSync } from "./node-sqlite.ts";

/**
 * A lock of the operating system on a file next to a database file. It ends with the process, however that ends, and never has to
 * be cleaned up.
 */
class FileLock {
  readonly #connection: DatabaseSync;

  /**
   * @param file the database file
   * @param suffix the end of the name of the lock file
   * @param busy the message if another process has the lock
   * @throws SqliteFileError `in_use` if another process has it, `unusable` if no file can be created next to it
   */
  constructor(file: string, suffix: string, busy: string) {
    let connection: DatabaseSync | undefined;
    try {
      makePrivateFile(file + suffix);
      connection = new DatabaseSync(file + suffix, { timeout: 0 });
      connection.exec("BEGIN EXCLUSIVE");
    } catch (error) {
      connection?.close();
      throw isBusy(error) ? new SqliteFileError("in_use", busy, { cause: error }) : fileError(file, error);
    }
    this.#connection = connection;
  }

  release(): void {
    if (this.#connection.isOpen) this.#connection.close();
  }
}

/** The lock of the server that uses a database file. */
export class ServerLock extends FileLock {
  /**
   * Takes the lock of a database file.
   * @throws SqliteFileError `in_use` if another server has it, `unusable` if no file can be created next to it
   */
  constructor(file: string) {
    super(file, ".lock", `A Telex server is using ${file}. Stop it first, or use another file.`);
  }
}

/** The lock of a backup of a database file. */
export class BackupLock extends FileLock {
  /**
   * Takes the lock of an existing database file.
   * @throws SqliteFileError `in_use` while another backup is made, `unusable` if no file can be created next to it
   */
  constructor(file: string) {
    super(file, ".backup-lock", `Another backup of ${file} is being made. Try again when it is complete.`);
  }
}
