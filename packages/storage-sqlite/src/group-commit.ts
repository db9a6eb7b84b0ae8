import type { TelexError } from "@telex/core";
import { closedError, type Command, type Database } from "./database.ts";
import { isBusy, storageError } from "./errors.ts";

/** Tells a caller how its verb ended. */
type Settle = () => void;

/** A verb that waits for its turn. */
interface Waiting {
  /** Runs the verb; the answer tells the caller, once it is durable. */
  run(): Settle;
  reject(error: TelexError): void;
}

/** What happens around each transaction. */
export interface TransactionHooks {
  /** Every verb has run: the last chance to write. */
  ending(): void;
  /** The transaction is over, for good or ill. */
  ended(): void;
}

/** How a {@link GroupCommit} works. */
interface GroupCommitOptions {
  /** Milliseconds after which verbs that wait for another process fail. */
  readonly busyTimeout: number;
  readonly hooks: TransactionHooks;
  /** Milliseconds from any moment on, by which the turns are bounded. Default: `performance.now`. */
  readonly now?: () => number;
}

/** Milliseconds after which a transaction takes no further verb: the rest waits for the next turn. */
const turnBudget = 2;

/** Milliseconds after which a verb that nobody waits for has a transaction of its own. */
const alongDelay = 50;

/** Milliseconds between two attempts to get the write lock from another process. */
const retryDelay = 5;

/**
 * Writes: all verbs that arrive in one tick share one transaction and one sync of the disk. If they are fewer than in the last
 * transaction, those of the next tick join them. They run in the order in which they were called, and their promises settle after the
 * commit, in that order.
 *
 * A verb that throws leaves no trace and harms no other: its batch is rolled back and runs again with a savepoint around
 * each verb, which costs too much to do always. So a verb MUST change nothing but the database, and may run twice.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  readonly #now: () => number;
  readonly #database: Database;
  readonly #begin: Command;
  readonly #commit: Command;
  readonly #savepoint: Command;
  readonly #release: Command;
  #waiting: Waiting[] = [];
  #scheduled = false;
  /** Runs while only verbs wait for which nobody waits. */
  #alone: NodeJS.Timeout | undefined;
  /** Since when another process has kept the write lock from us, in milliseconds. */
  #lockedSince: number | null = null;
  #closed = false;
  /** Verbs of the last transaction. */
  #last = 0;
  /** True if the next transaction has waited a tick for more verbs. */
  #hasWaited = false;
  #tell: ((commit: { readonly writes: number; readonly ms: number }) => void) | null = null;
  #onDrained: (() => void)[] = [];

  constructor(database: Database, options: GroupCommitOptions) {
    this.#database = database;
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#begin = database.command("BEGIN IMMEDIATE");
    this.#commit = database.command("COMMIT");
    this.#savepoint = database.command("SAVEPOINT verb");
    this.#release = database.command("RELEASE verb");
  }

  /**
   * Runs `verb` in the transaction of this turn. Resolves with its answer when that is durable; `applied` is called just
   * before, in the turn of the commit, for what is kept in memory.
   * @throws TelexError `storage_full`, `storage_unavailable`, `internal` (as a rejection): nothing was changed
   */
  write<T>(verb: () => T, applied?: (result: T) => void): Promise<T> {
    const written = this.#wait(verb, applied);
    if (!this.#closed) this.#schedule();
    return written;
  }

  /**
   * As {@link GroupCommit.write}, for a verb that nobody waits for: a sync of the disk costs more than most verbs, so it goes with the
   * next verb of `write`, or after 50 milliseconds.
   */
  writeAlong<T>(verb: () => T, applied?: (result: T) => void): Promise<T> {
    const written = this.#wait(verb, applied);
    if (!this.#closed) this.#alone ??= setTimeout(() => this.#schedule(), alongDelay);
    return written;
  }

  #wait<T>(verb: () => T, applied?: (result: T) => void): Promise<T> {
    if (this.#closed) return Promise.reject(closedError());
    return new Promise<T>((resolve, reject) => {
      const run = (): Settle => {
        const result = verb();
        return () => {
          applied?.(result);
          resolve(result);
        };
      };
      this.#waiting.push({ run, reject });
    });
  }

  /** Tells of each transaction from now on. */
  observe(tell: (commit: { readonly writes: number; readonly ms: number }) => void): void {
    this.#tell = tell;
  }

  /** Takes nothing more, and completes what waits. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#waiting.length === 0) return;
    this.#schedule();
    await new Promise<void>((resolve) => void this.#onDrained.push(resolve));
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    if (this.#lockedSince === null) setImmediate(() => this.#turn());
    else setTimeout(() => this.#turn(), retryDelay);
  }

  #turn(): void {
    if (this.#awaitsMore()) {
      setImmediate(() => this.#turn());
      return;
    }
    this.#scheduled = false;
    clearTimeout(this.#alone);
    this.#alone = undefined;
    const begun = this.#tell === null ? 0 : performance.now();
    const settles = this.#transaction();
    this.#last = settles.length;
    this.#hasWaited = false;
    if (settles.length > 0) this.#tell?.({ writes: settles.length, ms: performance.now() - begun });
    for (const settle of settles) settle();
    if (this.#waiting.length > 0) this.#schedule();
    else for (const drained of this.#onDrained.splice(0)) drained();
  }

  /** True once for a transaction with fewer verbs than the last one: the callers of that one are about to call again. */
  #awaitsMore(): boolean {
    if (this.#hasWaited || this.#closed || this.#waiting.length >= this.#last) return false;
    this.#hasWaited = true;
    return true;
  }

  #transaction(): Settle[] {
    try {
      this.#begin();
      this.#lockedSince = null;
    } catch (error) {
      return this.#refused(error);
    }
    try {
      return this.#runBatch();
    } finally {
      this.#options.hooks.ended();
    }
  }

  /** The transaction could not begin: where another process is at it, everybody waits for a while. */
  #refused(error: unknown): Settle[] {
    if (isBusy(error)) {
      const now = this.#now();
      this.#lockedSince ??= now;
      if (now - this.#lockedSince < this.#options.busyTimeout) return [];
    }
    this.#lockedSince = null;
    return rejections(this.#waiting.splice(0), error);
  }

  #runBatch(): Settle[] {
    const deadline = this.#now() + turnBudget;
    const settles: Settle[] = [];
    try {
      for (const waiting of this.#waiting) {
        settles.push(waiting.run());
        if (this.#now() > deadline) break;
      }
    } catch {
      return this.#runApart(this.#waiting.splice(0, settles.length + 1));
    }
    return this.#finish(this.#waiting.splice(0, settles.length), settles);
  }

  /** Runs a batch again after one of its verbs has thrown. */
  #runApart(batch: readonly Waiting[]): Settle[] {
    this.#rollBack();
    this.#options.hooks.ended();
    try {
      this.#begin();
      return this.#finish(
        batch,
        batch.map((waiting) => this.#runInSavepoint(waiting)),
      );
    } catch (error) {
      this.#rollBack();
      return rejections(batch, error);
    }
  }

  #runInSavepoint(waiting: Waiting): Settle {
    this.#savepoint();
    try {
      const settle = waiting.run();
      this.#release();
      return settle;
    } catch (error) {
      // Some failures, such as a full disk, end the whole transaction.
      if (!this.#database.inTransaction) throw error;
      this.#database.exec("ROLLBACK TO verb; RELEASE verb");
      return () => waiting.reject(storageError(error, "write"));
    }
  }

  #finish(batch: readonly Waiting[], settles: Settle[]): Settle[] {
    try {
      this.#options.hooks.ending();
      this.#commit();
      return settles;
    } catch (error) {
      this.#rollBack();
      return rejections(batch, error);
    }
  }

  #rollBack(): void {
    if (this.#database.inTransaction) this.#database.exec("ROLLBACK");
  }
}

const rejections = (batch: readonly Waiting[], error: unknown): Settle[] =>
  batch.map((waiting) => () => waiting.reject(storageError(error, "write")));
