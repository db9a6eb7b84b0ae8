import { performance } from "node:perf_hooks";

interface SharedReadsOptions {
  readonly begin: () => unknown;
  /** Ends the transaction. Some failures of a read have already ended it. */
  readonly end: () => void;
}

/**
 * Lets reads share a transaction: outside of one, each read takes SQLite's lock on the file, which costs more than a small read. They see
 * one state of the database, which is never older than the last time the event loop asked the system for events. So a request sees
 * every change that another process completed before the request was sent, unless its client sent it before the response to an earlier one.
 */
export class SharedReads {
  readonly #begin: () => unknown;
  readonly #end: () => void;
  /** The round of the event loop with the last read, and the number of events before it. */
  #loops = -1;
  #events = -1;
  #isOpen = false;

  constructor({ begin, end }: SharedReadsOptions) {
    this.#begin = begin;
    this.#end = end;
  }

  /** True between the begin and the end of a transaction. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Call it before a read. The second read of a round begins a transaction: a request that arrives alone often reads only once. */
  join(): void {
    const { loopCount, events } = performance.nodeTiming.uvMetricsInfo;
    if (loopCount !== this.#loops || events !== this.#events) {
      this.end();
      this.#loops = loopCount;
      this.#events = events;
    } else if (!this.#isOpen) {
      this.#begin();
      this.#isOpen = true;
      setImmediate(() => this.end());
    }
  }

  /** Ends the transaction, if there is one. Call it before a transaction that writes. */
  end(): void {
    this.#loops = -1;
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#end();
  }
}
