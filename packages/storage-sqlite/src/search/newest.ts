import type { MessageRecord } from "@telex/core/storage";
import type { Step } from "./room-walk.ts";

/** Collects the newest matches of several rooms, which are searched one after another, and the id down to which they are complete. */
export class Newest {
  readonly #limit: number;
  #found: MessageRecord[] = [];
  /** The ids of those with terms: at most `limit` after each room. */
  #withTerms: number[] = [];
  #floor = 0;

  /** @param limit messages with terms after which it stops */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Messages below this id belong to the next call; 0 after the last message. It only increases. */
  get floor(): number {
    return this.#floor;
  }

  /** Above the floor, newest first. */
  get messages(): readonly MessageRecord[] {
    return this.#found.filter(({ id }) => id >= this.#floor).toSorted((a, b) => b.id - a.id);
  }

  /** Notes that a room was not searched below this id. */
  stopAt(id: number): void {
    this.#floor = Math.max(this.#floor, id);
  }

  /** Adds the messages that a step has found. */
  add({ message, hasTerms }: Step): void {
    if (message === null) return;
    this.#found.push(message);
    if (hasTerms) this.#withTerms.push(message.id);
  }

  /** Notes the end of a room. If there are enough matches, later rooms need not be searched as far down. */
  endRoom(): void {
    if (this.#withTerms.length < this.#limit) return;
    this.#withTerms = this.#withTerms.toSorted((a, b) => b - a).slice(0, this.#limit);
    this.stopAt(this.#withTerms.at(-1) ?? 0);
    this.#found = this.#found.filter(({ id }) => id >= this.#floor);
  }
}
