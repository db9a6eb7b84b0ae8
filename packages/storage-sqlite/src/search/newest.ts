import type { MessageRecord } from "@telex/core/storage";
import type { Step } from "./room-walk.ts";

/** The newest messages of several rooms, which are looked at one after the other: what was found, and down to which id that is all. */
export class Newest {
  readonly #limit: number;
  #found: MessageRecord[] = [];
  /** The ids of those with terms, at most as many as are asked for, unless a room has brought more. */
  #withTerms: number[] = [];
  #floor = 0;

  /** @param limit messages with terms after which it stops */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Messages below this id belong to the next call; 0 after the last message. It only rises. */
  get floor(): number {
    return this.#floor;
  }

  /** Above the floor, newest first. */
  get messages(): readonly MessageRecord[] {
    return this.#found.filter(({ id }) => id >= this.#floor).toSorted((a, b) => b.id - a.id);
  }

  /** A room was not looked at below this id. */
  stopAt(id: number): void {
    this.#floor = Math.max(this.#floor, id);
  }

  /** Adds the messages that a step has found. */
  add({ message, hasTerms }: Step): void {
    if (message === null) return;
    this.#found.push(message);
    if (hasTerms) this.#withTerms.push(message.id);
  }

  /** A room was looked at: where enough is found, the rooms after it need not be looked at as far down. */
  endRoom(): void {
    if (this.#withTerms.length < this.#limit) return;
    this.#withTerms = this.#withTerms.toSorted((a, b) => b - a).slice(0, this.#limit);
    this.stopAt(this.#withTerms.at(-1) ?? 0);
    this.#found = this.#found.filter(({ id }) => id >= this.#floor);
  }
}
