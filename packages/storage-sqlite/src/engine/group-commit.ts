import type { TelexError } from "@telex/core";
import { closedError, type Command, type Database } from "./database.ts";
import { isBusy, storageError } from "./errors.ts";

/** Settles the promise of a caller. */
type Settle = () => void;

/** A verb that waits for a transaction. */
interface Waiting {
  /** Runs the verb, and returns a function that resolves the promise of the caller. */
  run(): Settle;
  reject(error: TelexError): void;
}

/** The outcome of a transaction. */
interface Ended {
  /** Settle the promises of the callers. */
  readonly settles: readonly Settle[];
  /** The committed verbs. They are not on the disk yet. */
  readonly committed: readonly Waiting[];
}

/** Called around each transaction. */
export interface TransactionHooks {
  /** After all verbs have run: the last chance to write. */
  ending(): void;
  /** After the transaction was committed or rolled back. */
  ended(): void;
}

interface GroupCommitOptions {
  /** Milliseconds after which verbs that wait for another process fail. */
  readonly busyTimeout: number;
  /** Milliseconds after which a verb without a waiting caller gets its own transaction. */
  readonly alongDelay: number;
  readonly hooks: TransactionHooks;
  /** Milliseconds since an arbitrary moment, to limit the turns. Default: `performance.now`. */
  readonly now?: () => number;
}

/** Milliseconds after which a transaction runs no further verb. The rest waits for the next turn. */
const turnBudget = 2;

/** Milliseconds between two attempts to get the write lock from another process. */
const retryDelay = 5;

/**
 * Writes: all verbs that arrive in one tick, or during the sync of the last transaction, share one transaction and one sync. If there
 * are fewer than in the last transaction, those of the next tick join them. They run in the order in which they were called, and their
 * promises settle after the sync, in that order. The event loop continues during a sync, but for the storage a transaction ends with
 * its sync: until then, no read and no other transaction begins.
 *
 * A verb that throws has no effect on the database or on other verbs: its batch is rolled back and runs again with a savepoint around
 * each verb, which would be too expensive for every batch. So a verb MUST change nothing but the database, and may run twice.
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
  /** True while a turn is scheduled: in one of the next ticks, or after the sync of the last one. */
  #scheduled = false;
  /** Runs while only verbs of {@link GroupCommit.writeAlong} wait. */
  #alone: NodeJS.Timeout | undefined;
  /** When another process was first found to hold the write lock, in milliseconds. */
  #lockedSince: number | null = null;
  #closed = false;
  /** Verbs of the last transaction. */
  #last = 0;
  /** True if the next transaction has already waited a tick for more verbs. */
  #hasWaited = false;
  #listener: ((commit: { readonly writes: number; readonly ms: number }) => void) | null = null;
  #onDrained: (() => void)[] = [];
  #verb = 0;

  constructor(database: Database, options: GroupCommitOptions) {
    this.#database = database;
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    const begin = database.command("BEGIN IMMEDIATE");
    this.#begin = () => {
      this.#verb += 1;
      return begin();
    };
    this.#commit = database.command("COMMIT");
    this.#savepoint = database.command("SAVEPOINT verb");
    this.#release = database.command("RELEASE verb");
  }

  /** The number of the verb that is running. It is one higher than that of the verb before it in the same transaction, if there is one. */
  get verb(): number {
    return this.#verb;
  }

  /**
   * Runs `verb` in the next transaction. Resolves with its result when that is durable. `applied` is called just before, to update state in
   * memory: no read and no verb runs in between.
   * @throws TelexError `storage_full`, `storage_unavailable`, `internal` (as a rejection): nothing was changed, or the disk has failed and
   * the outcome is unknown (see {@link Database.sync})
   */
  write<T>(verb: () => T, applied?: (result: T) => void): Promise<T> {
    const written = this.#wait(verb, applied);
    if (!this.#closed) this.#schedule();
    return written;
  }

  /**
   * Like {@link GroupCommit.write}, for a verb that no caller waits for. A sync costs more than most verbs, so the verb is committed
   * together with the next verb of `write`, or after `alongDelay` milliseconds.
   */
  writeAlong<T>(verb: () => T, applied?: (result: T) => void): Promise<T> {
    const written = this.#wait(verb, applied);
    if (!this.#closed) this.#alone ??= setTimeout(() => this.#schedule(), this.#options.alongDelay);
    return written;
  }

  #wait<T>(verb: () => T, applied?: (result: T) => void): Promise<T> {
    if (this.#closed) return Promise.reject(closedError());
    return new Promise<T>((resolve, reject) => {
      const run = (): Settle => {
        this.#verb += 1;
        const result = verb();
        return () => {
          applied?.(result);
          resolve(result);
        };
      };
      this.#waiting.push({ run, reject });
    });
  }

  /** Calls `listener` after each later transaction. */
  observe(listener: (commit: { readonly writes: number; readonly ms: number }) => void): void {
    this.#listener = listener;
  }

  /** Accepts no more verbs, and completes the waiting ones. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#waiting.length === 0 && !this.#scheduled) return;
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
    const begun = this.#listener === null ? 0 : performance.now();
    const { settles, committed } = this.#transaction();
    this.#last = settles.length;
    this.#hasWaited = false;
    if (committed.length === 0) return this.#end(settles, begun);
    this.#scheduled = true;
    this.#database.sync((error) => {
      this.#scheduled = false;
      this.#end(error === null ? settles : rejections(committed, error), begun);
    });
  }

  /** Settles the promises of the callers, and schedules the next transaction if verbs are waiting. */
  #end(settles: readonly Settle[], begun: number): void {
    if (settles.length > 0) this.#listener?.({ writes: settles.length, ms: performance.now() - begun });
    for (const settle of settles) settle();
    if (this.#waiting.length > 0) this.#schedule();
    else for (const drained of this.#onDrained.splice(0)) drained();
  }

  /** True once for a transaction with fewer verbs than the last one, whose callers are probably about to call again. */
  #awaitsMore(): boolean {
    if (this.#hasWaited || this.#closed || this.#waiting.length >= this.#last) return false;
    this.#hasWaited = true;
    return true;
  }

  #transaction(): Ended {
    try {
      this.#database.assertUsable();
      this.#database.endReads();
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

  /** Handles a transaction that could not begin. If another process has locked the database, all writes wait for a while. */
  #refused(error: unknown): Ended {
    if (isBusy(error)) {
      const now = this.#now();
      this.#lockedSince ??= now;
      if (now - this.#lockedSince < this.#options.busyTimeout) return refused([], error);
    }
    this.#lockedSince = null;
    return refused(this.#waiting.splice(0), error);
  }

  #runBatch(): Ended {
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
  #runApart(batch: readonly Waiting[]): Ended {
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
      return refused(batch, error);
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

  #finish(batch: readonly Waiting[], settles: readonly Settle[]): Ended {
    try {
      this.#options.hooks.ending();
      this.#commit();
      return { settles, committed: batch };
    } catch (error) {
      this.#rollBack();
      return refused(batch, error);
    }
  }

  #rollBack(): void {
    if (this.#database.inTransaction) this.#database.exec("ROLLBACK");
  }
}

/** The outcome of a transaction that changed nothing. */
const refused = (batch: readonly Waiting[], error: unknown): Ended => ({
  settles: rejections(batch, error),
  committed: [],
});

const rejections = (batch: readonly Waiting[], error: unknown): Settle[] =>
  batch.map((waiting) => () => waiting.reject(storageError(error, "write")));
