import { list, shortText } from "@telex/core/contract";
import { z } from "zod";

/** Base64url without padding, of at most `max` characters. */
const base64url = (max: number) =>
  shortText(max, 1)
    .regex(/^[A-Za-z0-9_-]+$/)
    .meta({ description: "Base64url without padding." });

/** The longest id of a passkey: 1,023 bytes (WebAuthn). */
export const passkeyId = base64url(1364);

/** Large enough for the longest origin that browsers accept. */
const clientDataJSON = base64url(4096);

const credential = z.object({
  id: passkeyId,
  rawId: passkeyId,
  type: z.literal("public-key"),
});

/** The result of `navigator.credentials.create`, as its `toJSON` writes it. */
export const createdPasskey = credential
  .extend({
    response: z.object({
      clientDataJSON,
      attestationObject: base64url(8192),
      transports: list(shortText(32), 8).default([]),
    }),
  })
  .meta({ id: "CreatedPasskey", description: "What navigator.credentials.create returned, written by its toJSON." });

/** A passkey that a browser has made. */
export type CreatedPasskey = z.output<typeof createdPasskey>;

/** The result of `navigator.credentials.get`, as its `toJSON` writes it. */
export const usedPasskey = credential
  .extend({
    response: z.object({
      clientDataJSON,
      authenticatorData: base64url(2048),
      signature: base64url(1024),
    }),
  })
  .meta({ id: "UsedPasskey", description: "What navigator.credentials.get returned, written by its toJSON." });

/** A signature by a passkey. */
export type UsedPasskey = z.output<typeof usedPasskey>;
