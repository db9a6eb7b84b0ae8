import { DatabaseSync } from "node:sqlite";
import { isBusy, SqliteFileError } from "./errors.ts";

/**
 * Says that one server works on a database file. It is a lock of the operating system on a file beside it, so that it
 * ends with the process, however that ends, and never has to be cleaned up.
 */
export class ServerLock {
  readonly #connection: DatabaseSync;

  /**
   * Takes the lock of a database file.
   * @throws SqliteFileError `in_use` when another server has it
   */
  constructor(file: string) {
    this.#connection = new DatabaseSync(`${file}.lock`, { timeout: 0 });
    try {
      this.#connection.exec("BEGIN EXCLUSIVE");
    } catch (error) {
      this.#connection.close();
      if (!isBusy(error)) throw error;
      throw new SqliteFileError("in_use", `A Telex server is using ${file}. Stop it first, or use another file.`, {
        cause: error,
      });
    }
  }

  /** Lets the next server in. */
  release(): void {
    if (this.#connection.isOpen) this.#connection.close();
  }
}
