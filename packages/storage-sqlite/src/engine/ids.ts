import type { Command, Database, Query } from "./database.ts";
import type { TransactionHooks } from "./group-commit.ts";
import { integer } from "./rows.ts";

/** Rows that are too many to update the counter for each. */
type Counter = "message" | "device_message";

/**
 * Ids that are never assigned twice, in the order of commit. A transaction reads and writes the counter once. A rolled-back transaction
 * returns its ids, which no caller has seen.
 */
export class Ids implements TransactionHooks {
  readonly #taken = new Map<Counter, number>();
  readonly #find: Query<number>;
  readonly #keep: Command;

  constructor(database: Database) {
    this.#find = database.query("SELECT value FROM counters WHERE name = ?", (row) => integer(row, "value"));
    this.#keep = database.command("UPDATE counters SET value = ? WHERE name = ?");
  }

  /** The next id. Only call it in a transaction. */
  next(counter: Counter): number {
    const id = (this.#taken.get(counter) ?? this.#find.only(counter)) + 1;
    this.#taken.set(counter, id);
    return id;
  }

  ending(): void {
    for (const [counter, id] of this.#taken) this.#keep(id, counter);
  }

  ended(): void {
    this.#taken.clear();
  }
}
