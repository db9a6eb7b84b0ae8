/** A value of which it is not always known whether it has changed. */
export class Possible<T> {
  #values: ReadonlySet<T>;

  constructor(value: T) {
    this.#values = new Set([value]);
  }

  /** The value, where it is certain. */
  get certain(): T | undefined {
    const [value] = this.#values;
    return this.#values.size === 1 ? value : undefined;
  }

  /** It becomes `value`, or stays: nobody knows before {@link Possible.became} or {@link Possible.stayed}. */
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

  /** Sees what it is. False where it cannot be that. */
  observe(value: T): boolean {
    const may = this.#values.has(value);
    this.#values = new Set([value]);
    return may;
  }

  /** What it can be, for a person. */
  toString(): string {
    return [...this.#values].map(String).join(" or ");
  }
}
