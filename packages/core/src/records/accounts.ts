import { z } from "zod";
import { flag, integer, integerOrNull, text, textOrNull, texts } from "@telex/ground/records";

/** The fields of an account. An account that was removed stays, so that its username is not given again. */
export const accountRecord = z.strictObject({
  userId: integer,
  /** As its owner typed it. */
  username: text,
  /** The form in which usernames are compared. Held by one account at most, removed accounts included. */
  usernameKey: text,
  /** A PHC string, or null without a password. */
  passwordHash: textOrNull,
  role: z.literal("admin").nullable(),
  /** False if others do not see what the user has read. */
  showRead: flag,
  /** The default level of notifications. */
  notify: text,
  /** Places from which the account signed in. Their form belongs to the auth package. */
  seen: texts.readonly(),
  /** The ids of the users whom this person has blocked. */
  blocked: texts.readonly().default([]),
  /** The prompts that this person keeps, as JSON of the auth package. */
  prompts: text.default("[]"),
  /** The last recovery, as JSON of the auth package, or null. */
  recovery: textOrNull,
  /** Unix milliseconds. */
  createdAt: integer,
  /** Unix milliseconds, or null while the account exists. */
  removedAt: integerOrNull,
  /** Increases with every change, except for sessions and `seen`. */
  rev: integer,
});

/** An account: how a user signs in, and what the user may do. */
export interface AccountRecord extends Readonly<z.output<typeof accountRecord>> {}

/** The fields that an account loses when its user is removed. */
export const emptiedAccount = {
  passwordHash: null,
  passkeys: [],
  identities: [],
  role: null,
  seen: [],
  prompts: "[]",
  recovery: null,
} as const;

/** The fields of a passkey. */
export const passkeyRecord = z.strictObject({
  /** Base64url. */
  credentialId: text,
  userId: integer,
  name: text,
  /** COSE key, base64url. */
  publicKey: text,
  /** Signatures so far, as the authenticator counts them; 0 if it does not count. */
  counter: integer,
  transports: texts.readonly(),
  /** Unix milliseconds. */
  createdAt: integer,
  /** Unix milliseconds, or null before the first use. */
  lastUsedAt: integerOrNull,
});

/** A passkey of an account. */
export interface PasskeyRecord extends Readonly<z.output<typeof passkeyRecord>> {}

/** The fields of an identity at another provider. */
export const identityRecord = z.strictObject({
  issuer: text,
  subject: text,
  userId: integer,
  /** As its provider shows it. */
  name: text,
  /** Unix milliseconds. */
  createdAt: integer,
});

/** An identity of another provider that is linked to an account. */
export interface IdentityRecord extends Readonly<z.output<typeof identityRecord>> {}

/** The fields of an application. */
export const clientRecord = z.strictObject({
  clientId: text,
  name: text,
  /** SHA-256 of its secret, hexadecimal; null for a public client. */
  secretDigest: textOrNull,
  redirectUris: texts.readonly(),
  grantTypes: texts.readonly(),
  scopes: texts.readonly(),
  /** Other metadata, as JSON of the auth package. */
  metadata: text,
  /** Unix milliseconds. */
  createdAt: integer,
});

/** An application that may ask users for access. */
export interface ClientRecord extends Readonly<z.output<typeof clientRecord>> {}

/** The fields of a grant. */
export const grantRecord = z.strictObject({
  /** SHA-256 of the id that the provider uses, hexadecimal. */
  grantId: text,
  userId: integer,
  clientId: text,
  /** JSON of the auth package. */
  payload: text,
  /** Unix milliseconds. */
  createdAt: integer,
  /** Unix milliseconds. */
  until: integer,
});

/** The access that a user has granted to an application. */
export interface GrantRecord extends Readonly<z.output<typeof grantRecord>> {}

/** The fields of an artifact. */
export const artifactRecord = z.strictObject({
  /** Its kind, such as `RefreshToken`. */
  model: text,
  /** SHA-256 of its value, hexadecimal. */
  digest: text,
  /** JSON of the auth package, without the value. */
  payload: text,
  /** The grant that it belongs to, or null. It does not outlive its grant. */
  grantId: textOrNull,
  uid: textOrNull,
  /** SHA-256 of the code that a person types, hexadecimal, or null. */
  userCodeDigest: textOrNull,
  /** The session that looked up the code first, or null. */
  claimedBy: textOrNull,
  /** Unix milliseconds, or null before its use. */
  consumedAt: integerOrNull,
  /** The digest of the artifact that was issued in its place, or null. */
  successor: textOrNull,
  /** Unix milliseconds. */
  until: integer,
});

/** A code, a token or a state of the authorization server. */
export interface ArtifactRecord extends Readonly<z.output<typeof artifactRecord>> {}

/** The fields of a key. */
export const keyRecord = z.strictObject({
  name: text,
  /** Sealed by its owner if the installation has a `secretKey`. */
  value: text,
  /** Unix milliseconds. */
  createdAt: integer,
});

/** A secret that the servers of the installation share and use again, such as a signing key. */
export interface KeyRecord extends Readonly<z.output<typeof keyRecord>> {}
