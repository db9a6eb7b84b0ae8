/** A value that may or may not have changed. */
export class Possible<T> {
  #values: ReadonlySet<T>;

  constructor(value: T) {
    this.#values = new Set([value]);
  }

  /** The value, if it is certain. */
  get certain(): T | undefined {
    const [value] = this.#values;
    return this.#values.size === 1 ? value : undefined;
  }

  /** It may change to `value`. {@link Possible.became} or {@link Possible.stayed} decides. */
  becomes(value: T): { became(): void; stayed(): void } {
    const before = this.#values;
    this.#values = new Set([...before, value]);
    return {
      became: () => {
        this.#values = new Set([value]);
      },
      stayed: () => {
        this.#values = before;
      },
    };
  }

  /** Compares with the actual value. False if the value is impossible. */
  observe(value: T): boolean {
    const may = this.#values.has(value);
    this.#values = new Set([value]);
    return may;
  }

  /** The possible values, for a person. */
  toString(): string {
    return [...this.#values].map(String).join(" or ");
  }
}
