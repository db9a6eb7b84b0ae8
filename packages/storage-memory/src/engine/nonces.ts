/** The first results of calls, by nonce. */
export interface Nonces<Value> {
  /** The result stored less than `life` milliseconds before `now`, or null. */
  find(nonce: string, now: number, life: number): Value | null;
  /** Stores a new result, and removes those that are older than the longest life that any call gave. */
  keep(nonce: string, now: number, value: Value): void;
  /** Stores a result that was stored elsewhere at `at` (Unix milliseconds), and removes none. */
  put(nonce: string, at: number, value: Value): void;
  /** All results, with the time at which each was stored. */
  all(): Iterable<readonly [nonce: string, kept: { readonly at: number; readonly value: Value }]>;
}

/** Nonces in the order of their times, so that removing old ones needs no search. */
export function createNonces<Value>(): Nonces<Value> {
  let stored = new Map<string, { readonly at: number; readonly value: Value }>();
  let inOrder = true;
  let longest = 0;
  const putInOrder = (): void => {
    stored = new Map([...stored].toSorted(([, a], [, b]) => a.at - b.at));
    inOrder = true;
  };
  return {
    find(nonce, now, life) {
      longest = Math.max(longest, life);
      const first = stored.get(nonce);
      return first !== undefined && now - first.at < life ? first.value : null;
    },
    keep(nonce, now, value) {
      if (!inOrder) putInOrder();
      stored.delete(nonce);
      stored.set(nonce, { at: now, value });
      for (const [old, { at }] of stored) {
        if (now - at < longest) break;
        stored.delete(old);
      }
    },
    put(nonce, at, value) {
      stored.set(nonce, { at, value });
      inOrder = false;
    },
    all: () => stored,
  };
}
