/**
 * What one device received. What was delivered for good does not come again; what was not comes again in its order, and
 * nothing is passed over.
 */
export class Deliveries {
  readonly #name: string;
  readonly #received = new Set<number>();
  readonly #acknowledging = new Set<number>();
  readonly #settled = new Set<number>();
  /** Received since the last {@link Deliveries.restart}. */
  #now = new Set<number>();
  #greatest = 0;
  #last = 0;
  #repeats = 0;

  constructor(name: string) {
    this.#name = name;
  }

  /** Messages that came more than once, because nobody knew whether they had arrived. */
  get repeats(): number {
    return this.#repeats;
  }

  /** All that came, each once. */
  get received(): ReadonlySet<number> {
    return this.#received;
  }

  /** From now on everything that is not delivered may come again: the server, or the connection, is a new one. */
  restart(): void {
    this.#now = new Set();
    this.#last = 0;
  }

  /** @param shown whether messages are shown until they are acknowledged, and so may come again at any time */
  receive(id: number, shown = false): string[] {
    const problems: string[] = [];
    const isNew = !this.#received.has(id);
    if (this.#settled.has(id)) problems.push(`${this.#name}: ${id} was delivered, and came again`);
    if (this.#now.has(id) && !shown) problems.push(`${this.#name}: ${id} came twice`);
    if (id <= this.#last && !shown) problems.push(`${this.#name}: ${id} came after ${this.#last}`);
    if (isNew && id < this.#greatest) problems.push(`${this.#name}: ${id} came late, after ${this.#greatest}`);
    if (!isNew && !this.#now.has(id)) this.#repeats += 1;
    this.#received.add(id);
    this.#now.add(id);
    this.#last = id;
    this.#greatest = Math.max(this.#greatest, id);
    return problems;
  }

  /** The device says that it has this message; nobody knows yet whether that was heard. */
  acknowledging(id: number): void {
    this.#acknowledging.add(id);
  }

  /** The message is delivered for good. */
  settle(id: number): void {
    this.#settled.add(id);
  }

  /** All up to this one that came are delivered for good. */
  settleUpTo(id: number): void {
    for (const one of this.#received) if (one <= id) this.#settled.add(one);
  }

  /**
   * Sees how a message is stored, while nothing is in progress.
   * @param byAck whether only an acknowledgement delivers
   */
  observe(id: number, isDelivered: boolean, byAck: boolean): string[] {
    if (!isDelivered) return this.#settled.has(id) ? [`${this.#name}: ${id} was delivered, and waits again`] : [];
    this.#settled.add(id);
    if (byAck && !this.#acknowledging.has(id)) return [`${this.#name}: ${id} is delivered, and was not acknowledged`];
    return this.#received.has(id) ? [] : [`${this.#name}: ${id} is delivered, and never came`];
  }
}
