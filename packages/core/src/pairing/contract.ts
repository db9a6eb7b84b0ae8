import { z } from "zod";
import { defineContract, text, timestamp, interfaceLimits } from "@telex/ground/contract";
import { device, deviceId } from "../teleprinter/contract.ts";

/** The code that a device shows: 8 letters, typed in any case, with or without a hyphen or spaces. */
const pairingCode = z
  .string()
  .refine((value) => value.length <= 32, { error: "pairing_code", abort: true })
  .transform((value) => value.toUpperCase().replace(/[\s-]/g, ""))
  .refine((value) => /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/.test(value), { error: "pairing_code" })
  .meta({
    maxLength: 32,
    examples: ["BCDF-GHJK"],
    pattern: "^[ -]*([BCDFGHJKLMNPQRSTVWXZbcdfghjklmnpqrstvwxz][ -]*){8}$",
  });

/** A device gets a token of its own when its user confirms the code that it shows, without typing a token. */
export const pairingContract = defineContract({
  pair: {
    summary: "A device asks to be paired. It shows the code, and collects its token with the secret.",
    access: { family: "pairing" },
    input: z.object({ deviceId, name: text(1, interfaceLimits.deviceName) }),
    output: z.object({
      code: z.string().meta({ description: "The device shows it: 8 letters with a hyphen in the middle." }),
      secret: z.string().meta({ description: "The device keeps it, and collects the token with it once." }),
      expiresAt: timestamp,
      interval: z.int().meta({ description: "Seconds between two attempts to collect." }),
    }),
    errors: ["rate_limited"],
  },
  pairing: {
    summary: "Looks up a code before the user confirms it. No other user can use the code afterwards.",
    access: "chat",
    input: z.object({ code: pairingCode }),
    output: z.object({
      deviceId: z.string(),
      name: z.string(),
      expiresAt: timestamp,
      replaces: z.string().nullable().meta({
        description:
          "The name of the caller's device that has this ID already; null if there is none. Confirming ends its earlier tokens: warn before it.",
      }),
    }),
    errors: ["not_found", "rate_limited"],
  },
  confirmPairing: {
    summary:
      "Confirms a code that this user looked up: the device is the user's from then on. A device that the user has already keeps its name, and its earlier tokens end.",
    access: "chat",
    input: z.object({ code: pairingCode }),
    output: device,
    errors: ["not_found", "device_taken", "quota_exceeded", "rate_limited"],
    event: "pairing.confirmed",
  },
  collect: {
    summary: "Collects the token of a paired device: null until the user has confirmed the code. Works once.",
    access: { family: "pairing" },
    input: z.object({ secret: text(1, 128) }),
    output: z.object({ deviceId: z.string(), token: z.string().nullable() }),
    errors: ["not_found"],
  },
});

export interface PairingContract extends Readonly<typeof pairingContract> {}
