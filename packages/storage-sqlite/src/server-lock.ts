import { makePrivateFile } from "./directories.ts";
import { fileError, isBusy, SqliteFileError } from "./errors.ts";
import { DatabaseSync } from "./node-sqlite.ts";

/**
 * Says that one server works on a database file. It is a lock of the operating system on a file next to it, so that it
 * ends with the process, however that ends, and never has to be cleaned up.
 */
export class ServerLock {
  readonly #connection: DatabaseSync;

  /**
   * Takes the lock of a database file.
   * @throws SqliteFileError `in_use` when another server has it, `unusable` if no file can be created next to it
   */
  constructor(file: string) {
    let connection: DatabaseSync | undefined;
    try {
      const lockFile = `${file}.lock`;
      makePrivateFile(lockFile);
      connection = new DatabaseSync(lockFile, { timeout: 0 });
      connection.exec("BEGIN EXCLUSIVE");
    } catch (error) {
      connection?.close();
      throw isBusy(error) ? inUse(file, error) : fileError(file, error);
    }
    this.#connection = connection;
  }

  /** Lets the next server in. */
  release(): void {
    if (this.#connection.isOpen) this.#connection.close();
  }
}

const inUse = (file: string, cause: unknown): SqliteFileError =>
  new SqliteFileError("in_use", `A Telex server is using ${file}. Stop it first, or use another file.`, { cause });
