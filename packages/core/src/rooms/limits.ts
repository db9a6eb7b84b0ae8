import { second } from "@telex/ground/time";

export const roomsLimits = {
  /** Milliseconds between two events with which a server publishes its connected users. */
  presenceInterval: 2 * second,
  /** Milliseconds after which the users of a server that is silent are offline. */
  presenceLease: 10 * second,
};

export interface RoomsLimits extends Readonly<typeof roomsLimits> {}
