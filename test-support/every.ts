type DefineTest = (name: string, body: () => Promise<void>) => unknown;

/**
 * Defines each n-th test only, beginning with the first: n is `TELEX_TEST_EVERY`, a whole number from 1, which is the default. A server
 * that is made for tests needs ten minutes for all cases, and CI has less.
 * @param define defines one test, such as `it` of vitest
 */
export function createSampled(define: DefineTest): DefineTest {
  const every = Number(process.env["TELEX_TEST_EVERY"] ?? "1");
  if (!Number.isInteger(every) || every < 1) throw new RangeError("TELEX_TEST_EVERY must be a whole number from 1.");
  let place = 0;
  return (name, body) => {
    place += 1;
    return (place - 1) % every === 0 ? define(name, body) : undefined;
  };
}
