import { second } from "../time/units.ts";

/** The limits of who is online. */
export interface RoomsLimits {
  /** Milliseconds between two events with which a server publishes its connected users. */
  readonly presenceInterval: number;
  /** Milliseconds after which the users of a server that is silent are offline. */
  readonly presenceLease: number;
}

/** The default of each limit. */
export const roomsLimits: RoomsLimits = {
  presenceInterval: 2 * second,
  presenceLease: 10 * second,
};
