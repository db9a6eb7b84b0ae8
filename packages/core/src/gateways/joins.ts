/** What is in progress under a nonce. */
interface Joined<T> {
  readonly fingerprint: string;
  readonly result: Promise<T>;
}

/** What is in progress here, by its nonce: a repeat waits for the first. */
interface Joins<T> {
  find(key: string): Joined<T> | null;
  /** Is found from now on until it settles. */
  add(key: string, fingerprint: string, result: Promise<T>): Promise<T>;
}

/** Nothing is in progress. */
export function createJoins<T>(): Joins<T> {
  const all = new Map<string, Joined<T>>();
  return {
    find: (key) => all.get(key) ?? null,
    add(key, fingerprint, result) {
      all.set(key, { fingerprint, result });
      return result.finally(() => all.delete(key));
    },
  };
}
