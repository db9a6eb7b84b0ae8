import { id, list, shortText, text } from "@telex/core/contract";
import { z } from "zod";
import { createdPasskey } from "../passkeys/responses.ts";

/** Rooms that an invitation opens. */
export const rooms = (least: number) => list(id, 100, least).meta({ description: "Rooms that are entered." });

/** How many accounts an invitation opens. */
export const invitationUses = z.int().min(1).max(1000).default(1);

/** Seconds until a link expires. */
export const linkLife = z
  .int()
  .min(60)
  .max(365 * 86_400)
  .default(7 * 86_400)
  .meta({ description: "Seconds." });

/** Fields of requests. Passwords are measured later, in code points. */
export const fields = {
  username: shortText(128).meta({ description: "2 to 32 characters, compared as RFC 8265 says (UsernameCaseMapped)." }),
  password: shortText(512).meta({ description: "8 to 256 characters." }),
  nickname: text(1, 64),
  secret: shortText(128).meta({ description: "The part of the link after #." }),
} as const;

/** The choice between the two lives of a session. */
export const stay = z
  .boolean()
  .default(false)
  .meta({ description: "True: for 30 days without use, instead of 12 hours." });

/** A new way to sign in: one of the two. */
export const newWay = {
  password: fields.password.optional().meta({ description: "8 to 256 characters. Left out with a passkey." }),
  passkey: createdPasskey.optional(),
} as const;
