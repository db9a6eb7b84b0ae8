/** The limits of rates. */
export interface RatesLimits {
  /** Callers whose rate is remembered. */
  readonly rateEntries: number;
}

/** The default of each limit. */
export const ratesLimits: RatesLimits = { rateEntries: 10_000 };
