import fc from "fast-check";

/**
 * `TELEX_TEST_SEED`: properties are tried with the same inputs in each run. Without it, each run tries others. A failure names its
 * seed in either case.
 */
const { TELEX_TEST_SEED } = process.env;

if (TELEX_TEST_SEED !== undefined) {
  const seed = Number(TELEX_TEST_SEED);
  if (!Number.isInteger(seed)) throw new RangeError("TELEX_TEST_SEED must be a whole number.");
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
}

export { fc };
