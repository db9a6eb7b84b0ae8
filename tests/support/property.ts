import fc from "fast-check";

/**
 * With `TELEX_TEST_SEED`, each run tries the same inputs; without it, other inputs. A failure names its seed in
 * either case.
 */
const { TELEX_TEST_SEED } = process.env;

if (TELEX_TEST_SEED !== undefined) {
  const seed = Number(TELEX_TEST_SEED);
  if (!Number.isInteger(seed)) throw new RangeError("TELEX_TEST_SEED must be a whole number.");
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
}

export { fc };

/**
 * One character, any but half of a surrogate pair, for `fc.string({ unit: character })`. The unit "binary" of fast-check has the same ones,
 * but took 600 ms of CPU time for each arbitrary of texts.
 */
export const character = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((point) => String.fromCodePoint(point));
