/** A stored text, as a client received it. */
export interface Listed {
  readonly id: number;
  readonly word: string;
}

/** The state of a text that a client tried to store. */
interface Tried {
  /** The client received a success, so the text must be stored. */
  acknowledged: boolean;
  /** The id, if a response or an event contained it. */
  id: number | null;
}

/**
 * Texts that may each be stored once, in the order of their ids. Confirmed texts must be stored, unconfirmed ones may be stored once,
 * and no id may be used twice.
 */
export class Ledger {
  readonly name: string;
  readonly #tried = new Map<string, Tried>();
  readonly #stored = new Map<number, string>();
  readonly #idOf = new Map<string, number>();
  /** Mirrored or pushed texts, which must be stored under this id. */
  readonly #told = new Map<number, string>();
  #newest = 0;
  #acknowledged = 0;

  constructor(name: string) {
    this.name = name;
  }

  /** The newest id that {@link Ledger.observe} has seen. */
  get newest(): number {
    return this.#newest;
  }

  /** The number of confirmed texts. */
  get acknowledged(): number {
    return this.#acknowledged;
  }

  /** All stored texts by id. */
  get stored(): ReadonlyMap<number, string> {
    return this.#stored;
  }

  /** Allows this text to be stored. */
  try(word: string): void {
    if (!this.#tried.has(word)) this.#tried.set(word, { acknowledged: false, id: null });
  }

  /** The server confirmed the text. */
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

  /** The server rejected the text, so it must not be stored. */
  refuse(word: string): void {
    if (this.#tried.get(word)?.acknowledged === false) this.#tried.delete(word);
  }

  /** A client received the text, so it must be durable. */
  tell({ id, word }: Listed): string[] {
    const known = this.#stored.get(id) ?? this.#told.get(id);
    this.#told.set(id, word);
    return known === undefined || known === word ? [] : [`${this.name}: id ${id} is "${known}" and "${word}"`];
  }

  /**
   * Reads all stored texts above {@link Ledger.newest}, oldest first, while nothing is in progress. Missing texts must never appear
   * later.
   */
  observe(listed: readonly Listed[]): string[] {
    const problems = listed.flatMap((one) => this.#take(one));
    for (const [word, { acknowledged, id }] of this.#tried) {
      const storedId = this.#idOf.get(word);
      if (acknowledged && storedId === undefined) problems.push(`${this.name}: "${word}" is lost`);
      if (storedId !== undefined && id !== null && storedId !== id) {
        problems.push(`${this.name}: "${word}" was answered with ${id}, and is stored as ${storedId}`);
      }
      // A repeat announces the text again.
      if (storedId === undefined) this.#tried.delete(word);
    }
    for (const [id, word] of this.#told) {
      if (this.#stored.get(id) !== word) problems.push(`${this.name}: ${id} "${word}" was told and is not stored`);
    }
    this.#told.clear();
    return problems;
  }

  /** Compares with all stored texts, oldest first. */
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
