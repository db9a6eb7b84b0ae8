import type { CounterName } from "@telex/core/storage";

/** Assigns each number once, starting at 1. */
export interface Counter {
  readonly next: () => number;
  /** The last assigned number, or 0. */
  readonly last: () => number;
  /** Marks the numbers up to this one as assigned. */
  readonly raise: (to: number) => void;
}

function createCounter(): Counter {
  let last = 0;
  return {
    next: () => (last += 1),
    last: () => last,
    raise(to) {
      last = Math.max(last, to);
    },
  };
}

export type Counters = Readonly<Record<CounterName, Counter>>;

export const createCounters = (): Counters => ({
  conversation: createCounter(),
  conversationMessage: createCounter(),
  deviceMessage: createCounter(),
  group: createCounter(),
  message: createCounter(),
  networkPerson: createCounter(),
  token: createCounter(),
  user: createCounter(),
});
