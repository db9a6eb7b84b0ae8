export const ratesLimits = {
  /** Callers whose rate is remembered. */
  rateEntries: 10_000,
};

export interface RatesLimits extends Readonly<typeof ratesLimits> {}
