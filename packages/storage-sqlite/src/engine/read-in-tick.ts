import { atEndOfTick } from "@telex/core/transport";

/**
 * Reads a value once in a tick of the event loop, however many callers ask for it. No transaction of this process comes in between, for
 * each has a tick of its own; that of another process shows in the next tick.
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
