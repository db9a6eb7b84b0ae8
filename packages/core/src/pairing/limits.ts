import { minute } from "@telex/ground/time";

export const pairingLimits = {
  /** Milliseconds for which a pairing code is valid. */
  pairingLife: 10 * minute,
  /** Pairing codes that a user may try in a minute. */
  pairingAttempts: 10,
};

export interface PairingLimits extends Readonly<typeof pairingLimits> {}
