import fc from "fast-check";

/**
 * `TELEX_TEST_SEED` makes each run try the same inputs. Without it, each run tries other inputs. A failure names its seed in
 * either case.
 */
const { TELEX_TEST_SEED } = process.env;

if (TELEX_TEST_SEED !== undefined) {
  const seed = Number(TELEX_TEST_SEED);
  if (!Number.isInteger(seed)) throw new RangeError("TELEX_TEST_SEED must be a whole number.");
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
}

export { fc };
