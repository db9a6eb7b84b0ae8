import { z } from "zod";
import { flag, integer, integerOrNull, text, textOrNull, texts } from "@telex/ground/records";

/** The fields of a person: types, transfer and the columns of SQLite derive from them. */
export const userRecord = z.strictObject({
  userId: integer,
  nickname: text,
  /** The ID in the external network; held by one user at most. */
  ext: textOrNull,
  phone: textOrNull,
  /** MD5 of a stored image. */
  avatar: textOrNull,
  /** The AI model that answers as this user in its rooms, or null. */
  ai: textOrNull,
  /** The connection of OneBot frameworks to the user: JSON of `OneBotSettings`, or null without one. */
  oneBot: textOrNull,
  /** True if the user cannot use tokens or sign in. */
  suspended: flag.default(false),
  /** Unix milliseconds. */
  createdAt: integer,
});

/** A person. */
export interface UserRecord extends Readonly<z.output<typeof userRecord>> {}

/** The fields of an access token. */
export const tokenRecord = z.strictObject({
  tokenId: integer,
  userId: integer,
  /** SHA-256 of the token, hexadecimal. */
  digest: text,
  /** The name that its owner gave it, or null. */
  name: textOrNull,
  /** As stored: a scope for a device ends with the generation that it names (`storedDeviceScope`). */
  scopes: texts.readonly(),
  /** Unix milliseconds. */
  createdAt: integer,
  /** Unix milliseconds, or null. */
  expiresAt: integerOrNull,
  /** Unix milliseconds, or null while it is valid. */
  revokedAt: integerOrNull,
  /** Unix milliseconds of a use, exact to a minute, or null before the first one. */
  lastUsedAt: integerOrNull,
});

/** An access token. Only its SHA-256 is kept. */
export interface TokenRecord extends Readonly<z.output<typeof tokenRecord>> {}
