/** A text that is stored, as somebody was told. */
export interface Listed {
  readonly id: number;
  readonly word: string;
}

/** What is known of a text that somebody wanted to store. */
interface Tried {
  /** Success was answered: it must be there. */
  acknowledged: boolean;
  /** Under this id, where that was told. */
  id: number | null;
}

/**
 * Texts of which each may be stored once, in the order of ids: what was answered is there, what was not is there once or
 * not at all, and no id is given twice.
 */
export class Ledger {
  readonly name: string;
  readonly #tried = new Map<string, Tried>();
  readonly #stored = new Map<number, string>();
  readonly #idOf = new Map<string, number>();
  /** What was mirrored or pushed: it must be stored under this id. */
  readonly #told = new Map<number, string>();
  #newest = 0;
  #acknowledged = 0;

  constructor(name: string) {
    this.name = name;
  }

  /** The newest id that an {@link Ledger.observe} has seen. */
  get newest(): number {
    return this.#newest;
  }

  /** Texts whose success was answered. */
  get acknowledged(): number {
    return this.#acknowledged;
  }

  /** All that is stored, by id. */
  get stored(): ReadonlyMap<number, string> {
    return this.#stored;
  }

  /** Says that this text may be stored from now on. */
  try(word: string): void {
    if (!this.#tried.has(word)) this.#tried.set(word, { acknowledged: false, id: null });
  }

  /** Success was answered. */
  acknowledge(word: string, id: number | null = null): string[] {
    const tried = this.#tried.get(word);
    if (tried === undefined) return [`${this.name}: "${word}" was acknowledged, and nobody sent it`];
    const before = tried.id;
    if (!tried.acknowledged) this.#acknowledged += 1;
    tried.acknowledged = true;
    tried.id = id ?? before;
    if (id === null) return [];
    const other =
      before !== null && before !== id ? [`${this.name}: "${word}" was answered with ${before} and ${id}`] : [];
    return [...other, ...this.tell({ id, word })];
  }

  /** The text never was stored: its sender was refused. */
  refuse(word: string): void {
    if (this.#tried.get(word)?.acknowledged === false) this.#tried.delete(word);
  }

  /** Somebody was told of the text: it is durable from then on. */
  tell({ id, word }: Listed): string[] {
    const known = this.#stored.get(id) ?? this.#told.get(id);
    this.#told.set(id, word);
    return known === undefined || known === word ? [] : [`${this.name}: id ${id} is "${known}" and "${word}"`];
  }

  /**
   * Takes in all that is stored above {@link Ledger.newest}, oldest first, while nothing is in progress. What is not there now
   * never was stored.
   */
  observe(listed: readonly Listed[]): string[] {
    const problems = listed.flatMap((one) => this.#take(one));
    for (const [word, { acknowledged, id }] of this.#tried) {
      const place = this.#idOf.get(word);
      if (acknowledged && place === undefined) problems.push(`${this.name}: "${word}" is lost`);
      if (place !== undefined && id !== null && place !== id) {
        problems.push(`${this.name}: "${word}" was answered with ${id} and lies at ${place}`);
      }
      // A repeat says again that it may come.
      if (place === undefined) this.#tried.delete(word);
    }
    for (const [id, word] of this.#told) {
      if (this.#stored.get(id) !== word) problems.push(`${this.name}: ${id} "${word}" was told and is not stored`);
    }
    this.#told.clear();
    return problems;
  }

  /** Compares with all that is stored, oldest first. */
  compare(listed: readonly Listed[]): string[] {
    const is = listed.map(({ id, word }) => `${id} ${word}`).join("\n");
    const was = [...this.#stored].map(([id, word]) => `${id} ${word}`).join("\n");
    return is === was
      ? []
      : [`${this.name}: ${listed.length} are stored, and they are not the ${this.#stored.size} from before`];
  }

  #take({ id, word }: Listed): string[] {
    const problems: string[] = [];
    if (id <= this.#newest) problems.push(`${this.name}: ${id} "${word}" comes after ${this.#newest}`);
    if (this.#idOf.has(word)) problems.push(`${this.name}: "${word}" is stored twice`);
    if (!this.#tried.has(word))
      problems.push(`${this.name}: "${word}" is stored, and nobody sent it or it was refused`);
    this.#newest = Math.max(this.#newest, id);
    this.#stored.set(id, word);
    this.#idOf.set(word, id);
    return problems;
  }
}
