import { second } from "../time/index.ts";

/** The limits of leases, and their default values. */
export const leasesLimits = {
  /**
   * Milliseconds after which another server takes over the work of a killed one, such as the connection to a bot. A lease is renewed after
   * a third of it. At least 20 s if the clocks of the servers may differ by 5 s.
   */
  leaseLife: 30 * second,
};

/** The limits of an instance for its leases. */
export interface LeasesLimits extends Readonly<typeof leasesLimits> {}
