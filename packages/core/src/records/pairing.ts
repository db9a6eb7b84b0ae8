import { z } from "zod";
import { flag, integer, integerOrNull, text } from "@telex/ground/records";

/** The fields of a pairing: types, transfer and the columns of SQLite derive from them. */
export const pairingRecord = z.strictObject({
  secretDigest: text,
  codeDigest: text,
  deviceId: text,
  name: text,
  /** Unix milliseconds. */
  expiresAt: integer,
  /** The user who looked up the code first. No other user can look it up afterwards. */
  userId: integerOrNull,
  confirmed: flag,
  /** The token of the admin who confirmed it for the user over the network; null if the user or the operator did. */
  issuedBy: integerOrNull,
  /** Unix milliseconds when that token ends, as it was known then; null if it does not end, or no admin confirmed. */
  issuerEndsAt: integerOrNull,
});

/** A device that asks to be paired. Only digests of its code and its secret are stored. */
export interface PairingRecord extends Readonly<z.output<typeof pairingRecord>> {}
