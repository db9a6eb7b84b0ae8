/** What was first done under a nonce. */
export interface Nonces<Value> {
  /** What was kept less than `life` milliseconds before `now`, or null. */
  find(nonce: string, now: number, life: number): Value | null;
  /** Keeps what was looked for before, and forgets what is older than any life that was asked for. */
  keep(nonce: string, now: number, value: Value): void;
}

/** Nonces in the order in which they came, so that forgetting costs no search. */
export function createNonces<Value>(): Nonces<Value> {
  const kept = new Map<string, { readonly at: number; readonly value: Value }>();
  let longest = 0;
  return {
    find(nonce, now, life) {
      longest = Math.max(longest, life);
      const first = kept.get(nonce);
      return first !== undefined && now - first.at < life ? first.value : null;
    },
    keep(nonce, now, value) {
      kept.delete(nonce);
      kept.set(nonce, { at: now, value });
      for (const [old, { at }] of kept) {
        if (now - at < longest) break;
        kept.delete(old);
      }
    },
  };
}
