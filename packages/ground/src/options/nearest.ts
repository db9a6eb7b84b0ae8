/** The number of letters to insert, remove or replace to get from one word to the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [line, letter] of from.split("").entries()) {
    const next = [line + 1];
    for (let column = 1; column < row.length; column += 1) {
      const exchanged = (row[column - 1] ?? 0) + (letter === to[column - 1] ? 0 : 1);
      next.push(Math.min(exchanged, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Letters only, in lower case: `rate-limits`, `RATE_LIMITS` and `rateLimits` are one word. */
const plain = (word: string): string => word.replaceAll(/[^\p{L}\p{N}]/gu, "").toLowerCase();

/** At most three letters are wrong, and more than 40 % are right. Otherwise, a suggestion would only confuse. */
const isNear = (wrong: number, length: number): boolean => wrong <= 3 && length - wrong > 0.4 * length;

/**
 * The known word that is most similar to the given one; undefined if none is similar. Only compares the first 64 characters,
 * because words of any length may come from outside.
 */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const word = plain(name.slice(0, 64));
  return names
    .map((candidate) => ({ candidate, plain: plain(candidate), distance: distance(word, plain(candidate)) }))
    .filter((candidate) => isNear(candidate.distance, Math.max(word.length, candidate.plain.length)))
    .toSorted((a, b) => a.distance - b.distance)[0]?.candidate;
}

/** ` Did you mean "port"?` with a leading space, or an empty string if no known word is similar. */
export function suggestion(name: string, names: readonly string[]): string {
  const match = nearest(name, names);
  return match === undefined ? "" : ` Did you mean "${match}"?`;
}
