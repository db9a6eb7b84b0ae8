/** Whole-number weights of red, green and blue. */
export type Weights = readonly [red: number, green: number, blue: number];

/** 0.299, 0.587 and 0.114 in thousandths (interface 4.3). */
export const luma: Weights = [299, 587, 114];
