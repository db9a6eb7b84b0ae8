/** Buckets per octave: a value is at most a fifth too large. */
const perOctave = 4;
/** The upper bound of the first bucket, in milliseconds. That of the last bucket is 17 minutes. */
const smallest = 1 / 16;
const buckets = 24 * perOctave + 1;

const bucketOf = (milliseconds: number): number =>
  Math.min(buckets - 1, Math.max(0, Math.ceil(Math.log2(milliseconds / smallest) * perOctave)));

/** Counts durations in a fixed amount of memory. */
export class Durations {
  readonly #counts = new Uint32Array(buckets);
  #all = 0;

  add(milliseconds: number): void {
    const bucket = bucketOf(milliseconds);
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#all += 1;
  }

  /** The milliseconds within which a fraction of the calls ended, rounded up to the bound of a bucket. Null without a call. */
  within(part: number): number | null {
    if (this.#all === 0) return null;
    let left = Math.ceil(this.#all * part);
    const bucket = this.#counts.findIndex((count) => (left -= count) <= 0);
    return smallest * 2 ** (bucket / perOctave);
  }

  clear(): void {
    this.#counts.fill(0);
    this.#all = 0;
  }
}
