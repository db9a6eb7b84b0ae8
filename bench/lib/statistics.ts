/** A figure over several rounds. */
export interface Figure {
  readonly median: number;
  /** (maximum - minimum) / median. */
  readonly spread: number;
  readonly all: readonly number[];
}

/** The median; the lower one of an even number of values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}

/** The smallest value that is not below this share of the values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function figureOf(values: readonly number[]): Figure {
  const middle = median(values);
  return { median: middle, spread: (Math.max(...values) - Math.min(...values)) / middle, all: values };
}
