const longestName = 128;
/** Milliseconds of a claim: a year. */
const longestLife = 31_536_000_000;

/**
 * Checks the name of every lease and claim of an instance, for any store.
 * @throws TypeError for a name without characters, or with more than 128
 */
export function assertName(name: string): void {
  const { length } = [...name];
  if (length >= 1 && length <= longestName) return;
  throw new TypeError(`The name of a lease or claim must have 1 to ${longestName} characters, not ${length}.`);
}

/** @throws TypeError for anything but a whole number of milliseconds from 1 to a year */
export function assertLife(life: number): void {
  if (Number.isInteger(life) && life >= 1 && life <= longestLife) return;
  throw new TypeError(`A claim must last 1 to ${longestLife} milliseconds, not ${life}.`);
}
