import type { CounterName } from "@telex/core/storage";

/** Numbers that are given once each, from 1 on. */
export interface Counter {
  readonly next: () => number;
  /** The last number that was given, or 0. */
  readonly last: () => number;
  /** Numbers up to this one are given. */
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

/** The counters of a storage. */
export type Counters = Readonly<Record<CounterName, Counter>>;

/** Counters that have given nothing. */
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
