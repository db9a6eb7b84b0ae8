import assert from "node:assert/strict";

/** The number of each outcome. */
export function countOutcomes(results: readonly (string | { readonly outcome: string })[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const result of results) {
    const outcome = typeof result === "string" ? result : result.outcome;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

/** The results that can have this outcome. */
type With<Result, Outcome> = Result extends { readonly outcome: infer Own }
  ? Outcome extends Own
    ? Result
    : never
  : never;

/** Fails unless the result has this outcome; then it is known to the compiler as well. */
export function expectOutcome<Result extends { readonly outcome: string }, Outcome extends Result["outcome"]>(
  result: Result,
  outcome: Outcome,
): asserts result is Result & With<Result, Outcome> {
  assert.equal(result.outcome, outcome);
}

/** The result, which must have this outcome. */
export function withOutcome<Result extends { readonly outcome: string }, Outcome extends Result["outcome"]>(
  result: Result,
  outcome: Outcome,
): Result & With<Result, Outcome> {
  expectOutcome(result, outcome);
  return result;
}

/** The value of one field in each record. */
export const fieldsOf = <Item, Field extends keyof Item>(records: readonly Item[], field: Field): Item[Field][] =>
  records.map((record) => record[field]);

/** Fails unless this is an id that a storage may give. */
export const expectId = (id: number): void => assert.ok(Number.isSafeInteger(id) && id > 0, `${id} is no id`);

/** Fails unless every number is greater than the one before. */
export function expectRising(numbers: readonly number[], what: string): void {
  const fall = numbers.findIndex((number, index) => index > 0 && number <= (numbers[index - 1] ?? 0));
  assert.equal(fall, -1, `${what} must rise, but they are ${numbers.join(", ")}`);
}

/** The numbers from 1 to `count`. */
export const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** Numbers from the least to the greatest. */
export const sorted = (numbers: Iterable<number>): number[] => [...numbers].toSorted((a, b) => a - b);
