import type { SQLInputValue, StatementSync } from "node:sqlite";
import { TelexError } from "@telex/core";
import { storageError } from "./errors.ts";
import { LogSync, type SyncTimes } from "./log-sync.ts";
import { DatabaseSync } from "./node-sqlite.ts";
import { type Row, text } from "./rows.ts";
import { SharedReads } from "./shared-reads.ts";

/** A prepared statement that returns rows. */
export interface Query<T> {
  /** The first row, or null. */
  one(...values: SQLInputValue[]): T | null;
  /** The first row, if there is always one. */
  only(...values: SQLInputValue[]): T;
  all(...values: SQLInputValue[]): T[];
}

/** A prepared statement that changes rows, and returns how many. */
export type Command = (...values: SQLInputValue[]) => number;

/** Milliseconds that a statement waits for another process once the storage is open. */
const statementTimeout = 20;

/** Milliseconds that opening a file waits for another process. */
const openTimeout = 5000;

/** Pages of the write-ahead log after which a commit copies the log into the file. */
const checkpointPages = 1000;

/** Bytes to which the write-ahead log is cut after a burst. */
const logSizeLimit = 64 * 1024 * 1024;

/** Bytes of a file that are cached in memory by default. */
export const defaultPageCache = 4 * 2 ** 20;

/** The error of a verb after `close`. */
export const closedError = (): TelexError =>
  new TelexError("storage_unavailable", { cause: new Error("The storage is closed.") });

/**
 * A statement with one plan for all limits. SQLite plans with the number that is bound to `LIMIT ?`, so it compiles the statement again
 * for each bound number, which costs several times as much as reading the rows. It does not plan with the value of an expression.
 */
export const withOnePlan = (sql: string): string => sql.replaceAll("LIMIT ?", "LIMIT ? + 0");

/**
 * One connection to a database file. Statements are compiled when they are first used. Committed data is on the disk
 * before `COMMIT` returns, or after {@link Database.sync} if that was chosen.
 */
export class Database {
  readonly #connection: DatabaseSync;
  readonly #begin: Command;
  readonly #commit: Command;
  readonly #reads: SharedReads;
  /** Null while `COMMIT` syncs. */
  #log: LogSync | null = null;
  /** Reads that wait for a sync; null if no sync is in progress. */
  #delayed: (() => void)[] | null = null;

  constructor(file: string, options: { readonly readOnly?: boolean } = {}) {
    this.#connection = new DatabaseSync(file, { timeout: openTimeout, readOnly: options.readOnly ?? false });
    this.#begin = this.command("BEGIN");
    this.#commit = this.command("COMMIT");
    this.#reads = new SharedReads({ begin: this.#begin, end: () => this.#endTransaction() });
  }

  /**
   * Sets up a write-ahead log that every commit syncs.
   * @param pageCache bytes of the file that are cached in memory
   */
  prepareForWriting(pageCache = defaultPageCache): void {
    if (this.pragma("journal_mode") !== "wal") this.exec("PRAGMA journal_mode = WAL");
    this.exec(`
      PRAGMA synchronous = FULL;
      PRAGMA foreign_keys = ON;
      PRAGMA temp_store = MEMORY;
      PRAGMA cache_size = -${Math.ceil(pageCache / 1024)};
      PRAGMA wal_autocheckpoint = ${checkpointPages};
      PRAGMA journal_size_limit = ${logSizeLimit};
    `);
  }

  /** Shortens the wait for other processes, which blocks the event loop. */
  waitBriefly(): void {
    this.exec(`PRAGMA busy_timeout = ${statementTimeout}`);
  }

  /**
   * Lets `COMMIT` return before the data is on the disk: commits are durable after {@link Database.sync}, although other processes see them
   * earlier. Only useful in a server, because a command that ends soon has nothing else to do during a sync.
   */
  syncApart(times?: SyncTimes): void {
    this.exec("PRAGMA synchronous = NORMAL");
    this.#log = new LogSync(`${this.#realFile()}-wal`, times);
  }

  /**
   * Writes all commits to the disk. Reads wait for it, because they would report data that is not durable. After a failure, the state of
   * the disk is unknown, so the database rejects all reads and writes, and no other process can write.
   * @param done called in this tick or a later one
   */
  sync(done: (error: TelexError | null) => void): void {
    if (this.#log === null) return done(null);
    this.#delayed = [];
    this.#log.sync((error) => {
      if (error !== null) this.#keepOthersOut();
      try {
        done(error);
      } finally {
        this.#resumeReads();
      }
    });
  }

  /** @throws TelexError `storage_unavailable` if it is closed, or after a failed sync */
  assertUsable(): void {
    if (!this.#connection.isOpen) throw closedError();
    this.#log?.assertSound();
  }

  /** A statement that returns rows. */
  query<T>(sql: string, read: (row: Row) => T): Query<T> {
    return toQuery(sql, this.#lazy(sql), read);
  }

  /** Like {@link Database.query}, with columns by position: long rows that are read often cost a third less than by name. */
  queryByPosition<T>(sql: string, read: (row: Row) => T): Query<T> {
    return toQuery(sql, this.#lazy(sql, true), read);
  }

  /** A statement that changes rows. */
  command(sql: string): Command {
    const statement = this.#lazy(sql);
    return (...values) => Number(statement().run(...values).changes);
  }

  /** Runs statements without values, once. */
  exec(sql: string): void {
    this.#connection.exec(sql);
  }

  /** The value of a setting. */
  pragma(name: string): string | number | null {
    const row = this.#connection.prepare(`PRAGMA ${name}`).get();
    const value = Object.values(row ?? {})[0];
    return typeof value === "string" || typeof value === "number" ? value : null;
  }

  /** True between `BEGIN` and the end of the transaction, which some failures end by themselves. */
  get inTransaction(): boolean {
    return this.#connection.isTransaction;
  }

  /**
   * Reads the committed state immediately, or after the sync in progress: a verb that writes is visible completely or not at all.
   * @throws TelexError `storage_unavailable` (as a rejection)
   */
  read<T>(run: () => T | Promise<T>): Promise<T> {
    const delayed = this.#delayed;
    if (delayed === null) return this.#readNow(run);
    return new Promise((resolve) => void delayed.push(() => resolve(this.#readNow(run))));
  }

  async #readNow<T>(run: () => T | Promise<T>): Promise<T> {
    this.assertUsable();
    let result: T | Promise<T>;
    try {
      this.#reads.join();
      result = run();
    } catch (error) {
      throw storageError(error, "read");
    }
    // Not awaited, because that would create a promise for a value that is available.
    return result;
  }

  /** Like {@link Database.read}, for several statements: no other process can write between them. */
  readTogether<T>(run: () => T): Promise<T> {
    return this.read(() => this.together(run));
  }

  /** Runs reading statements on one state of the database. */
  together<T>(run: () => T): T {
    if (this.#reads.isOpen) return run();
    this.#begin();
    try {
      return run();
    } finally {
      this.#commit();
    }
  }

  /** Ends the transaction that reads share. Call it before a transaction begins. */
  endReads(): void {
    this.#reads.end();
  }

  close(): void {
    this.#log?.close();
    if (this.#connection.isOpen) this.#connection.close();
  }

  #endTransaction(): void {
    if (this.#connection.isOpen && this.inTransaction) this.#commit();
  }

  #resumeReads(): void {
    const delayed = this.#delayed ?? [];
    this.#delayed = null;
    for (const read of delayed) read();
  }

  /** Another process must not write after data that the disk has lost, because its writes would be lost, too. */
  #keepOthersOut(): void {
    try {
      this.endReads();
      this.exec("BEGIN IMMEDIATE");
    } catch {
      // A sync has failed before, or another process is writing.
    }
  }

  /** The real path of the file, which may have been opened through a link: its log is next to it. Reading the schema creates the log. */
  #realFile(): string {
    return this.query("SELECT file, (SELECT count(*) FROM sqlite_schema) FROM pragma_database_list", (row) =>
      text(row, "file"),
    ).only();
  }

  #lazy(sql: string, byPosition = false): () => StatementSync {
    let statement: StatementSync | undefined;
    return () => (statement ??= this.#prepare(sql, byPosition));
  }

  #prepare(sql: string, byPosition: boolean): StatementSync {
    const statement = this.#connection.prepare(withOnePlan(sql));
    statement.setReturnArrays(byPosition);
    return statement;
  }
}

function toQuery<T>(sql: string, statement: () => StatementSync, read: (row: Row) => T): Query<T> {
  const one = (...values: SQLInputValue[]): T | null => {
    const row = statement().get(...values);
    return row === undefined ? null : read(row);
  };
  const only = (...values: SQLInputValue[]): T => {
    const row = one(...values);
    if (row === null) throw new Error(`No row: ${sql}`);
    return row;
  };
  return {
    one,
    only,
    all: (...values) =>
      statement()
        .all(...values)
        .map(read),
  };
}
