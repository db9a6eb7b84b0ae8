import type { CallContext } from "@telex/core";
import type { H3Event } from "h3";
import { type NodeSide, nodeOf, onEnded } from "../server/node.ts";

function closeSignal(node: NodeSide): AbortSignal {
  const controller = new AbortController();
  onEnded(node, (written) => {
    if (!written) controller.abort();
  });
  return controller.signal;
}

/** A body of one chunk that is handed over when it is asked for, and followed by `ended`. */
function observedBody(text: string, ended: (written: boolean) => void): ReadableStream<Uint8Array> {
  const chunks = [new TextEncoder().encode(text)];
  return new ReadableStream(
    {
      pull(controller) {
        const chunk = chunks.pop();
        if (chunk !== undefined) return controller.enqueue(chunk);
        controller.close();
        ended(true);
      },
      cancel: () => ended(false),
    },
    { highWaterMark: 0 },
  );
}

/**
 * One call of an operation, from its start until its answer was written or could not be. A class, for a literal with a
 * getter gets a hidden class of its own each time, and keeps all it refers to until a full garbage collection (decision 15).
 */
export class Call implements CallContext {
  readonly #event: H3Event;
  readonly #node: NodeSide | null;
  #listeners: ((written: boolean) => void)[] = [];
  #signal: AbortSignal | null = null;
  #outcome: boolean | null = null;
  #charge: (calls: number) => void = () => undefined;

  /** Begins a call. */
  constructor(event: H3Event) {
    this.#event = event;
    this.#node = nodeOf(event);
  }

  get signal(): AbortSignal {
    this.#signal ??= this.#node === null ? this.#event.req.signal : closeSignal(this.#node);
    return this.#signal;
  }

  /** Says in whose rate the call counts: who calls is known later than the call. */
  chargeWith(charge: (calls: number) => void): void {
    this.#charge = charge;
  }

  charge(calls: number): void {
    this.#charge(calls);
  }

  onWritten(listener: (written: boolean) => void): void {
    if (this.#outcome !== null) return listener(this.#outcome);
    const count = this.#listeners.push(listener);
    if (count === 1 && this.#node !== null) onEnded(this.#node, (written) => this.#settle(written));
  }

  /** The answer as a body that tells, where only reading it can tell, when it was read to its end. */
  body(text: string): string | ReadableStream<Uint8Array> {
    if (this.#node !== null || this.#listeners.length === 0) return text;
    return observedBody(text, (written) => this.#settle(written));
  }

  /** The operation has failed: what it meant to answer is not written. */
  fail(): void {
    this.#settle(false);
  }

  #settle(written: boolean): void {
    this.#outcome ??= written;
    for (const listener of this.#listeners.splice(0)) listener(this.#outcome);
  }
}
