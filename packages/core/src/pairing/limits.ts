import { minute } from "../time/units.ts";

/** The limits of pairing. */
export interface PairingLimits {
  /** Milliseconds for which a pairing code is valid. */
  readonly pairingLife: number;
  /** Pairing codes that a user may try in a minute. */
  readonly pairingAttempts: number;
}

/** The default of each limit. */
export const pairingLimits: PairingLimits = {
  pairingLife: 10 * minute,
  pairingAttempts: 10,
};
