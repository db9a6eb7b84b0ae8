type DefineTest = (name: string, body: () => Promise<void>, timeout?: number) => unknown;

/** Milliseconds for a slow test. */
const slowTime = 30 * 60_000;

/** `TELEX_TEST_EVERY`: tests that are too slow for a machine or a test server run only every n-th case. Default 1. */
function readEvery(): number {
  const every = Number(process.env["TELEX_TEST_EVERY"] ?? "1");
  if (!Number.isInteger(every) || every < 1) throw new RangeError("TELEX_TEST_EVERY must be a whole number from 1.");
  return every;
}

/** Every n-th case, beginning with the first; n is `TELEX_TEST_EVERY`. */
export function sampleOf<Case>(cases: readonly Case[]): Case[] {
  const every = readEvery();
  return cases.filter((_, place) => place % every === 0);
}

/**
 * Defines only every n-th test, beginning with the first; n is `TELEX_TEST_EVERY`.
 * @param define defines one test, such as `it` of vitest
 * @param slow names of tests that are defined only if n is 1, and may take half an hour
 */
export function createSampled(define: DefineTest, slow: ReadonlySet<string> = new Set()): DefineTest {
  const every = readEvery();
  let place = 0;
  return (name, body) => {
    if (every > 1 && slow.has(name)) return undefined;
    place += 1;
    return (place - 1) % every === 0 ? define(name, body, slow.has(name) ? slowTime : undefined) : undefined;
  };
}
