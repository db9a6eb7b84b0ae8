import { defineContract, text } from "@telex/core/contract";
import { z } from "zod";
import { accountView, passkeyView } from "../accounts/views.ts";
import { creationOptions, requestOptions } from "../passkeys/options.ts";
import { createdPasskey, passkeyId, usedPasskey } from "../passkeys/responses.ts";
import { fields, stay } from "./fields.ts";

const none = z.object({});
const name = text(1, 64);

/** Signing in with passkeys, and the options that a browser needs before it makes or uses one. */
const openingContract = defineContract({
  signInOptions: {
    summary:
      "Options for navigator.credentials.get: the browser offers its passkeys for this server. They are good for 10 minutes and one use.",
    access: "none",
    input: none,
    output: requestOptions,
    errors: ["not_supported"],
  },
  signInWithPasskey: {
    summary: "Signs in with a passkey. The response sets the cookie of the session.",
    access: "none",
    input: z.object({ passkey: usedPasskey, stay }),
    output: accountView,
    errors: ["cross_origin", "not_supported", "suspended", "busy"],
  },
  openOptions: {
    summary:
      "Options for navigator.credentials.create: a passkey with which account/setup, join or register open an account.",
    access: "none",
    input: z.object({
      username: fields.username,
      secret: fields.secret
        .optional()
        .meta({ description: "The part of the link after #. Left out for account/register." }),
    }),
    output: creationOptions,
    errors: ["not_supported", "username_taken"],
  },
  recoverOptions: {
    summary:
      "Options for navigator.credentials.create: a passkey with which account/recover opens the account of the link again.",
    access: "none",
    input: z.object({ secret: fields.secret }),
    output: creationOptions,
    errors: ["not_supported", "link_ended"],
  },
});

/** The passkeys of one's own account. Only the cookie of a session opens them. */
const ownContract = defineContract({
  confirmOptions: {
    summary: "Options for navigator.credentials.get: one's own passkeys, for account/confirm.",
    access: "token",
    input: none,
    output: requestOptions,
    errors: ["not_allowed", "not_found", "not_supported"],
  },
  passkeys: {
    summary: "Lists one's own passkeys, the oldest first.",
    access: "token",
    input: none,
    output: z.object({
      list: z.array(passkeyView),
      available: z.boolean().meta({
        description: "False where browsers have no passkeys: at an IP address, and over HTTP except on localhost.",
      }),
    }),
    errors: ["not_allowed"],
  },
  passkeyOptions: {
    summary: "Options for navigator.credentials.create: another passkey for one's own account.",
    access: "token",
    input: none,
    output: creationOptions,
    errors: ["not_allowed", "not_confirmed", "not_supported", "limit_reached"],
  },
  addPasskey: {
    summary: "Adds a passkey to one's own account, which may have 20.",
    access: "token",
    input: z.object({
      passkey: createdPasskey,
      name: name.optional().meta({ description: "Default: the browser and its system, such as Firefox on Linux." }),
    }),
    output: passkeyView,
    errors: ["not_allowed", "not_confirmed", "not_supported", "limit_reached", "busy"],
  },
  renamePasskey: {
    summary: "Changes the name of one of one's own passkeys.",
    access: "token",
    input: z.object({ id: passkeyId, name }),
    output: passkeyView,
    errors: ["not_allowed", "not_confirmed", "not_found", "busy"],
  },
  removePasskey: {
    summary: "Removes one of one's own passkeys. The last way to sign in stays.",
    access: "token",
    input: z.object({ id: passkeyId }),
    output: z.null(),
    errors: ["not_allowed", "not_confirmed", "not_found", "last_way", "busy"],
  },
});

/** Operations on passkeys. */
export const passkeyContract = { ...openingContract, ...ownContract } as const;
