import { atEndOfTick } from "@telex/core/transport";
import type { GroupCommit } from "./group-commit.ts";

/**
 * Reads a value once per tick of the event loop for all callers. No transaction of this process comes in between, because each has its own
 * tick; changes by another process are visible in the next tick.
 */
export class ReadInTick<Key, Value> {
  readonly #read: (key: Key) => Value;
  #last: { readonly key: Key; readonly value: Value } | null = null;

  /** @param read reads from the committed state */
  constructor(read: (key: Key) => Value) {
    this.#read = read;
  }

  /** The value at some moment of this tick. */
  read(key: Key): Value {
    if (this.#last?.key === key) return this.#last.value;
    if (this.#last === null) atEndOfTick(() => void (this.#last = null));
    const value = this.#read(key);
    this.#last = { key, value };
    return value;
  }
}

/** Reads a row once for verbs that follow one another in a transaction and leave it as it is, such as the texts of a busy device. */
export class ReadInTurn<Key, Value> {
  readonly #commit: Pick<GroupCommit, "verb">;
  readonly #read: (key: Key) => Value;
  #last: { readonly key: Key; readonly value: Value; readonly verb: number } | null = null;

  constructor(commit: Pick<GroupCommit, "verb">, read: (key: Key) => Value) {
    this.#commit = commit;
    this.#read = read;
  }

  /**
   * The row, for the verb that is running.
   * @param isKept true if the verb does not change the row
   */
  read(key: Key, isKept: boolean): Value {
    const { verb } = this.#commit;
    const last = this.#last;
    const value = last !== null && last.verb === verb - 1 && last.key === key ? last.value : this.#read(key);
    this.#last = isKept ? { key, value, verb } : null;
    return value;
  }
}
