/** Pseudo-random numbers that depend only on the seed, so that a run can be repeated. */
export interface Random {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** A whole number from 0 (inclusive) to `bound` (exclusive). */
  below(bound: number): number;
  /** True in this share (0 to 1) of the calls. */
  chance(share: number): boolean;
  /** An independent source that depends on the seed and this number. */
  fork(number: number): Random;
}

/**
 * The generator mulberry32. It is not for secrets.
 * @param seed a whole number; its lowest 32 bits count
 */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const draw = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const next = (): number => draw() / 4_294_967_296;
  return {
    next,
    below: (bound) => draw() % bound,
    chance: (share) => next() < share,
    fork: (number) => createRandom((Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b)) >>> 0),
  };
}
