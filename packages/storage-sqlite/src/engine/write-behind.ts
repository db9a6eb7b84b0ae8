import type { Clock } from "@telex/core";
import type { GroupCommit } from "./group-commit.ts";

/** Milliseconds until an entry is written. */
const delay = 1000;

/** Entries that one verb writes: enough to be cheap, but few enough not to fill a tick of the event loop. */
const entriesPerVerb = 100;

interface WriteBehindOptions<Entry> {
  readonly commit: GroupCommit;
  readonly clock: Clock;
  /** Writes an entry; may run twice. */
  readonly write: (entry: Entry) => void;
}

/**
 * Entries that are known immediately and written a second later, all together. Until then, readers must add them to the rows of
 * the database. A later entry with the same key replaces the earlier one.
 */
export class WriteBehind<Key, Entry> {
  readonly #entries = new Map<Key, Entry>();
  readonly #options: WriteBehindOptions<Entry>;
  #cancel: (() => void) | null = null;

  constructor(options: WriteBehindOptions<Entry>) {
    this.#options = options;
  }

  /** The entry that is not written yet. */
  find(key: Key): Entry | undefined {
    return this.#entries.get(key);
  }

  /** Adds an entry. */
  keep(key: Key, entry: Entry): void {
    this.#entries.set(key, entry);
    this.#writeSoon();
  }

  /** Drops an entry whose row contains all of it, unless a later one has replaced it. */
  forget(key: Key, entry: Entry): void {
    if (this.#entries.get(key) === entry) this.#entries.delete(key);
  }

  /** Writes the changes that are only in memory. */
  async flush(): Promise<void> {
    this.#cancel?.();
    this.#cancel = null;
    const entries = [...this.#entries];
    const writes: Promise<void>[] = [];
    for (let from = 0; from < entries.length; from += entriesPerVerb) {
      writes.push(this.#writeSlice(entries.slice(from, from + entriesPerVerb)));
    }
    await Promise.allSettled(writes);
  }

  #writeSoon(): void {
    this.#cancel ??= this.#options.clock.after(delay, () => void this.#writeAll());
  }

  async #writeAll(): Promise<void> {
    await this.flush();
    // The entries of a failed write are kept, and written again.
    if (this.#entries.size > 0) this.#writeSoon();
  }

  #writeSlice(entries: readonly (readonly [Key, Entry])[]): Promise<void> {
    return this.#options.commit.write(
      () => {
        // An entry that was dropped since then is in its row, which may have changed.
        for (const [key, entry] of entries) if (this.#entries.has(key)) this.#options.write(entry);
      },
      () => {
        // A later entry is written later.
        for (const [key, entry] of entries) this.forget(key, entry);
      },
    );
  }
}
