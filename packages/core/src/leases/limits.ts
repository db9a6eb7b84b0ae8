import { second } from "../time/units.ts";

/** The limits of leases. */
export interface LeasesLimits {
  /**
   * Milliseconds after which another server takes over the work of a killed one, such as the connection to a bot. Renewed three times as
   * often. At least 20 s if the clocks of the servers may differ by 5 s.
   */
  readonly leaseLife: number;
}

/** The default of each limit. */
export const leasesLimits: LeasesLimits = {
  leaseLife: 30 * second,
};
