/** The defaults of {@link RatesLimits}. */
export const ratesLimits = {
  /** Callers whose rate is remembered. */
  rateEntries: 10_000,
};

/** Limits of the rates of callers. */
export interface RatesLimits extends Readonly<typeof ratesLimits> {}
