import { randomBytes } from "node:crypto";
import type { Account, Passkey } from "@telex/core/storage";
import { z } from "zod";
import { lives } from "../sessions/lives.ts";
import type { RelyingParty } from "./relying-party.ts";

const descriptor = z.object({ type: z.literal("public-key"), id: z.string(), transports: z.array(z.string()) });

/** The input of `PublicKeyCredential.parseCreationOptionsFromJSON`. */
export const creationOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ type: z.literal("public-key"), alg: z.int() })),
  timeout: z.int().meta({ description: "Milliseconds." }),
  excludeCredentials: z.array(descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal("required"),
    requireResidentKey: z.literal(true),
    userVerification: z.literal("required"),
  }),
  attestation: z.literal("none"),
});

/** Options for making a passkey. */
export type CreationOptions = z.output<typeof creationOptions>;

/** The input of `PublicKeyCredential.parseRequestOptionsFromJSON`. */
export const requestOptions = z.object({
  rpId: z.string(),
  challenge: z.string(),
  timeout: z.int().meta({ description: "Milliseconds." }),
  allowCredentials: z.array(descriptor).meta({ description: "Empty: the browser offers all that it has." }),
  userVerification: z.literal("required"),
});

/** Options for using a passkey. */
export type RequestOptions = z.output<typeof requestOptions>;

/** Ed25519, ES256 and RS256, as COSE numbers them. */
export const algorithms: readonly number[] = [-8, -7, -257];

const describe = ({ credentialId, transports }: Passkey): z.output<typeof descriptor> => ({
  type: "public-key",
  id: credentialId,
  transports: [...transports],
});

/** The person for whom a passkey is made. */
export interface PasskeyPerson {
  readonly username: string;
  readonly passkeys: Account["passkeys"];
}

/**
 * Options for a passkey that replaces a password: the browser keeps it, and checks who uses it. The user handle is random, because a
 * passkey is found by its own id; so no passkey ever replaces that of another person in a shared browser.
 */
export const creationOptionsOf = (
  { rpId }: RelyingParty,
  challenge: string,
  { username, passkeys }: PasskeyPerson,
): CreationOptions => ({
  rp: { id: rpId, name: "Telex" },
  user: { id: randomBytes(32).toString("base64url"), name: username, displayName: username },
  challenge,
  pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
  timeout: lives.challenge,
  excludeCredentials: passkeys.map(describe),
  authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
  attestation: "none",
});

/** Options for using one of the passkeys; with none, the browser offers those that it has. */
export const requestOptionsOf = (
  { rpId }: RelyingParty,
  challenge: string,
  passkeys: Account["passkeys"],
): RequestOptions => ({
  rpId,
  challenge,
  timeout: lives.challenge,
  allowCredentials: passkeys.map(describe),
  userVerification: "required",
});
