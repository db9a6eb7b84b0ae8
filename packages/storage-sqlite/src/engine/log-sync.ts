import { closeSync, fdatasync, fdatasyncSync, openSync } from "node:fs";
import { TelexError } from "@telex/core";

/** When a {@link LogSync} runs syncs in a thread. */
export interface SyncTimes {
  /** Milliseconds: a sync that takes this long is slow. Default 5. */
  readonly slow?: number;
  /** Milliseconds for which the disk counts as slow after a slow sync. Default 1000. */
  readonly slowTime?: number;
  /** Milliseconds since an arbitrary moment. Default: `performance.now`. */
  readonly now?: () => number;
}

const failed = (cause: unknown): TelexError =>
  new TelexError("storage_unavailable", {
    cause: new Error("The disk lost written data. Restart Telex.", { cause }),
  });

/**
 * Syncs the write-ahead log of a database. While the disk is fast, this blocks the event loop, because a thread would cost more than the
 * sync. For a second after a slow sync, syncs run in a thread.
 *
 * If a sync fails, the system drops the data that it could not write, and the next sync would succeed without it. So the first failure is
 * final.
 */
export class LogSync {
  readonly #handle: number;
  readonly #times: Required<SyncTimes>;
  /** The disk counts as slow until this moment. */
  #slowUntil = Number.NEGATIVE_INFINITY;
  #failure: TelexError | null = null;
  #isClosed = false;

  constructor(file: string, times: SyncTimes = {}) {
    this.#handle = openSync(file, "r+");
    this.#times = { slow: 5, slowTime: 1000, now: () => performance.now(), ...times };
  }

  /** Calls `done`, in this tick or a later one, when everything that was written before is on the disk, or has failed. */
  sync(done: (error: TelexError | null) => void): void {
    const { slow, slowTime, now } = this.#times;
    const begun = now();
    const end = (error: unknown): void => {
      const ended = now();
      if (ended - begun >= slow) this.#slowUntil = ended + slowTime;
      if (error !== null) this.#failure ??= failed(error);
      done(this.#failure);
    };
    if (begun < this.#slowUntil) fdatasync(this.#handle, end);
    else end(this.#syncNow());
  }

  /** @throws TelexError `storage_unavailable` after a failed sync */
  assertSound(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  close(): void {
    if (!this.#isClosed) closeSync(this.#handle);
    this.#isClosed = true;
  }

  #syncNow(): unknown {
    try {
      fdatasyncSync(this.#handle);
      return null;
    } catch (error) {
      return error;
    }
  }
}
