import { it } from "vitest";

/**
 * Defines each n-th test only, beginning with the first: n is `TELEX_TEST_EVERY`, a whole number from 1, which is the default. A server
 * that is made for tests needs ten minutes for all cases, and CI has less.
 */
export function createSampledTest(): (name: string, run: () => Promise<void>) => void {
  const every = Number(process.env["TELEX_TEST_EVERY"] ?? "1");
  if (!Number.isInteger(every) || every < 1) throw new RangeError("TELEX_TEST_EVERY must be a whole number from 1.");
  let place = 0;
  return (name, run) => {
    if (place % every === 0) it(name, run);
    place += 1;
  };
}
