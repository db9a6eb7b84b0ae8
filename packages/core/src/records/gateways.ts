import { z } from "zod";
import { flag, integer, text, textOrNull } from "@telex/ground/records";

/** The fields of an account of an external network: types, transfer and the columns of SQLite derive from them. */
export const botRecord = z.strictObject({
  /** Its name in this installation: the `bot` of its rooms. */
  account: text,
  /** Its name for people, or null. Records of earlier versions have no such field. */
  name: textOrNull.default(null),
  /** The name of the gateway that serves it. */
  gateway: text,
  network: text,
  /** True for the account of the rooms of the types 0 and 3. */
  official: flag,
  /** The digest of the secret that its implementation shows: see `digestOf`. Null takes a connection without one. */
  digest: textOrNull,
  /** The secret itself, only of an account whose implementation Telex connects to: Telex has to show it. */
  secret: textOrNull,
  /** The address of that implementation, or null. */
  connect: textOrNull,
  /** The version of its protocol; 0 for what the connection shows. */
  protocol: integer,
  /** Milliseconds between the starts of two messages. */
  minInterval: integer,
  /** Unix milliseconds. */
  createdAt: integer,
});

/** An account of an external network that was added to the storage. */
export interface BotRecord extends Readonly<z.output<typeof botRecord>> {}
