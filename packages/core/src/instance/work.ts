import type { CallContext } from "@telex/ground/contract";
import { TelexError } from "@telex/ground/errors";
import type { Clock } from "@telex/ground/time";
import type { Tally } from "../observe/figures.ts";

interface Running {
  /** The context for the call: its response counts as work as well. */
  readonly context: CallContext;
  readonly end: () => void;
}

/** The work in progress in an instance. No new work begins once it closes, and closing waits for work that has begun. */
export interface Work {
  /**
   * Begins an operation. It is in progress until `end` was called, and its response was written or given up.
   * @throws TelexError `shutting_down` once the instance is closing
   */
  start(context: CallContext): Running;
  /** Work is in progress until the returned function is called. */
  begin(): () => void;
  /** @throws TelexError `shutting_down` once the instance is closing */
  assertOpen(): void;
  /** Aborted when the instance closes. */
  readonly closing: AbortSignal;
  readonly running: number;
  /** Lets no new work begin. Resolves when no work is in progress any more, after `wait` milliseconds at the latest. */
  close(wait: number): Promise<void>;
}

/** A context whose response is in progress until it was written. (A class: see the one of HTTP.) */
class Counted implements CallContext {
  readonly #context: CallContext;
  readonly #begin: () => () => void;

  constructor(context: CallContext, begin: () => () => void) {
    this.#context = context;
    this.#begin = begin;
  }

  // Read when it is asked for: a transport may have to make it.
  get signal(): AbortSignal | undefined {
    return this.#context.signal;
  }

  get origin(): object | undefined {
    return this.#context.origin;
  }

  get request(): CallContext["request"] {
    return this.#context.request;
  }

  charge(calls: number): void {
    this.#context.charge?.(calls);
  }

  onWritten(listener: (written: boolean) => void): void {
    const end = this.#begin();
    this.#context.onWritten?.((written) => {
      listener(written);
      end();
    });
  }
}

export function createWork(clock: Clock, tally: Tally): Work {
  const idle = Promise.withResolvers<void>();
  let running = 0;
  const closed = new AbortController();
  const begin = (): (() => void) => {
    let ended = false;
    running += 1;
    return () => {
      if (ended) return;
      ended = true;
      running -= 1;
      if (closed.signal.aborted && running === 0) idle.resolve();
    };
  };
  const assertOpen = (): void => {
    if (closed.signal.aborted) throw new TelexError("shutting_down", { retryAfter: 5 });
  };
  return {
    begin,
    assertOpen,
    closing: closed.signal,
    get running() {
      return running;
    },
    start(context) {
      assertOpen();
      tally.begun += 1;
      return { context: context.onWritten === undefined ? context : new Counted(context, begin), end: begin() };
    },
    async close(wait) {
      closed.abort();
      if (running === 0) idle.resolve();
      const cancel = clock.after(wait, idle.resolve);
      await idle.promise;
      cancel();
    },
  };
}
