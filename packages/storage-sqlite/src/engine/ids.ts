import type { Command, Database, Query } from "./database.ts";
import type { TransactionHooks } from "./group-commit.ts";
import { integer } from "./rows.ts";

/** What is numbered by a counter: the rows that are too many for a counter of their own per statement. */
type Counter = "message" | "device_message";

/**
 * Ids that are never given twice, in the order of commit. Read once and written once per transaction: what a transaction
 * took that is rolled back is given again, which nobody has seen.
 */
export class Ids implements TransactionHooks {
  readonly #taken = new Map<Counter, number>();
  readonly #find: Query<number>;
  readonly #keep: Command;

  constructor(database: Database) {
    this.#find = database.query("SELECT value FROM counters WHERE name = ?", (row) => integer(row, "value"));
    this.#keep = database.command("UPDATE counters SET value = ? WHERE name = ?");
  }

  /** The next id. Only for a verb that runs in a transaction. */
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
