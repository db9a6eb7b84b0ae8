/** The limits of rates, with their defaults. */
export const ratesLimits = {
  /** Callers whose rate is remembered. */
  rateEntries: 10_000,
};

/** The type of {@link ratesLimits}, by name. */
export interface RatesLimits extends Readonly<typeof ratesLimits> {}
