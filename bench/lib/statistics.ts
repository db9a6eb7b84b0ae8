/** A figure over several rounds. */
export interface Figure {
  readonly median: number;
  /** (greatest - least) / median. */
  readonly spread: number;
  readonly all: readonly number[];
}

/** The value in the middle; of an even number of values the lower one. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}

/** The value below which this share of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The figure of these values. */
export function figureOf(values: readonly number[]): Figure {
  const middle = median(values);
  return { median: middle, spread: (Math.max(...values) - Math.min(...values)) / middle, all: values };
}
