/**
 * The deliveries of one device. Texts that were delivered for good must not arrive again. Others must arrive again, in order and
 * without gaps.
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
  #restarts = 0;
  /** The events of each message, for readers of a problem. */
  readonly #story = new Map<number, string[]>();

  constructor(name: string) {
    this.#name = name;
  }

  /** Messages that arrived repeatedly because their arrival was uncertain. */
  get repeats(): number {
    return this.#repeats;
  }

  /** All received messages, each once. */
  get received(): ReadonlySet<number> {
    return this.#received;
  }

  /** Allows all undelivered messages to arrive again: the server or the connection is a new one. */
  restart(): void {
    this.#now = new Set();
    this.#last = 0;
    this.#restarts += 1;
  }

  /**
   * A message arrived. It is not a repeat if only its sender knew that it was delivered: the message and the response use two
   * connections, and a busy client may read the response first. {@link Deliveries.observe} finds delivered messages that never
   * arrive.
   * @param shown true if messages are shown until they are acknowledged, and may therefore arrive again at any time
   */
  receive(id: number, shown = false): string[] {
    const problems: string[] = [];
    const isNew = !this.#received.has(id);
    this.#note(id, "came");
    if (this.#settled.has(id) && !isNew) problems.push(this.#tell(id, "was delivered, and came again"));
    if (this.#now.has(id) && !shown) problems.push(this.#tell(id, "came twice"));
    if (id <= this.#last && !shown) problems.push(this.#tell(id, `came after ${this.#last}`));
    if (isNew && id < this.#greatest) problems.push(this.#tell(id, `came late, after ${this.#greatest}`));
    if (!isNew && !this.#now.has(id)) this.#repeats += 1;
    this.#received.add(id);
    this.#now.add(id);
    this.#last = id;
    this.#greatest = Math.max(this.#greatest, id);
    return problems;
  }

  /** The device acknowledges this message. It is unknown whether the acknowledgement arrives. */
  acknowledging(id: number): void {
    if (!this.#acknowledging.has(id)) this.#note(id, "is being acknowledged");
    this.#acknowledging.add(id);
  }

  /** The message is delivered for good, as the other side confirmed to the device or to the sender. */
  settle(id: number, to: "device" | "sender"): void {
    if (!this.#settled.has(id)) this.#note(id, `delivered, the ${to} was told`);
    this.#settled.add(id);
  }

  /** All received messages up to this one are delivered for good. */
  settleUpTo(id: number): void {
    for (const one of this.#received) if (one <= id) this.settle(one, "device");
  }

  /**
   * Compares with the stored message, while nothing is in progress.
   * @param byAck true if only an acknowledgement delivers
   */
  observe(id: number, isDelivered: boolean, byAck: boolean): string[] {
    this.#note(id, isDelivered ? "delivered in the history" : "waits in the history");
    if (!isDelivered) return this.#settled.has(id) ? [this.#tell(id, "was delivered, and waits again")] : [];
    this.#settled.add(id);
    if (byAck && !this.#acknowledging.has(id)) return [this.#tell(id, "is delivered, and was not acknowledged")];
    return this.#received.has(id) ? [] : [this.#tell(id, "is delivered, and never came")];
  }

  #note(id: number, event: string): void {
    const story = this.#story.get(id) ?? [];
    this.#story.set(id, story);
    story.push(`${this.#restarts}: ${event}`);
  }

  /** A problem with its history: each event, with the number of restarts before it. */
  #tell(id: number, problem: string): string {
    return `${this.#name}: ${id} ${problem} (${this.#story.get(id)?.join(", ") ?? "nothing is known of it"})`;
  }
}
