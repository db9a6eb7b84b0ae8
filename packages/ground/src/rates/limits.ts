/** The defaults of {@link RatesLimits}. */
export const ratesLimits = {
  /** Maximum callers whose rate is remembered. */
  rateEntries: 10_000,
};

/** The limits of an instance for the rates of callers. */
export interface RatesLimits extends Readonly<typeof ratesLimits> {}
