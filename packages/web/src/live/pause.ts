const first = 500;
const longest = 30_000;

/**
 * Milliseconds before the next attempt to connect: longer after each failure, and never the same for all pages, so that
 * a server that comes back is not met by all of them at once.
 * @param failures attempts that failed in a row, from 1
 * @param chance from 0 to 1
 */
export const pauseAfter = (failures: number, chance: number): number =>
  Math.round(Math.min(longest, first * 2 ** (failures - 1)) * (0.5 + chance / 2));
