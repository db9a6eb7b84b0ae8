/**
 * The most expensive request may take this many times the CPU time of a plain one, byte for byte, to read and to check.
 */
export const mostTimesPlain = 20;

/** Requests below this size are allowed the time of this many bytes: each call costs something, whatever its size. */
const leastBytes = 1024;

/** Measurements before a call counts as too expensive. */
const mostRounds = 30;

/**
 * The CPU time of this process that `run` takes, in microseconds. It is the least of several rounds, so that other work of the
 * machine has no influence.
 * @param run what is measured
 * @param rounds how often, at least 1
 */
export async function cpuTimeOf(run: () => unknown, rounds: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const before = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, user + system);
  }
  return least;
}

/**
 * The share of the allowed CPU time that `run` takes: more than 1 if it takes too long. Measures until it has taken
 * little enough once, so that other work of the machine has no influence.
 * @param run what is measured
 * @param allowed microseconds
 */
export async function costShare(run: () => unknown, allowed: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < mostRounds && least > allowed; round += 1) {
    least = Math.min(least, await cpuTimeOf(run, 1));
  }
  return least / allowed;
}

/**
 * The CPU time for which an expensive request may be read and checked, in microseconds.
 * @param bytes the size of the request
 * @param plainTime the CPU time of a plain request, for each of its bytes, in microseconds
 */
export const costBudget = (bytes: number, plainTime: number): number =>
  mostTimesPlain * plainTime * Math.max(bytes, leastBytes);
