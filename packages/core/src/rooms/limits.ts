import { second } from "../time/units.ts";

/** The limits of who is online, with their defaults. */
export const roomsLimits = {
  /** Milliseconds between two events with which a server publishes its connected users. */
  presenceInterval: 2 * second,
  /** Milliseconds after which the users of a server that is silent are offline. */
  presenceLease: 10 * second,
};

/** The type of {@link roomsLimits}, by name. */
export interface RoomsLimits extends Readonly<typeof roomsLimits> {}
