import { defineContract, list, text } from "@telex/core/contract";
import { z } from "zod";
import { accountView, invitationView, madeLinkView, sessionView } from "../accounts/views.ts";
import { applicationContract } from "./applications.ts";
import { identityContract } from "./identities.ts";
import { passkeyId, usedPasskey } from "../passkeys/responses.ts";
import { fields, invitationUses, linkLife, newWay, rooms, stay } from "./fields.ts";
import { passkeyContract } from "./passkeys.ts";
import { promptContract } from "./prompts.ts";

const { username, password, nickname, secret } = fields;
const opening = z.object({ username, nickname: nickname.optional(), ...newWay });
const none = z.object({});
const day = 86_400;

const current = password.optional().meta({ description: "Needed if the person signed in more than 10 minutes ago." });

/** Errors of changes that ask for the password. */
const guarded = ["not_allowed", "not_confirmed", "rate_limited", "busy"] as const;

/** Ways into an account. Each refuses a request that a page of another site made, and sets the cookie of a session. */
const enteringContract = defineContract({
  setup: {
    summary: "Opens the account of the first admin with a set-up link, and signs in.",
    access: "none",
    input: opening.extend({ secret }),
    output: accountView,
    errors: ["cross_origin", "link_ended", "username_taken", "weak_password", "not_supported", "busy"],
  },
  join: {
    summary: "Opens an account with an invitation, enters its rooms, and signs in.",
    access: "none",
    input: opening.extend({ secret }),
    output: accountView,
    errors: [
      "cross_origin",
      "registration_closed",
      "link_ended",
      "username_taken",
      "weak_password",
      "not_supported",
      "busy",
    ],
  },
  register: {
    summary: "Opens an account if the server lets anyone do so, and signs in.",
    access: "none",
    input: opening,
    output: accountView,
    errors: ["cross_origin", "registration_closed", "username_taken", "weak_password", "not_supported", "busy"],
  },
  recover: {
    summary:
      "Sets a new password or passkey with a recovery link, removes the other ways to sign in, ends all sessions, tokens and grants, and signs in.",
    access: "none",
    input: z.object({
      secret,
      ...newWay,
      keepPasskeys: list(passkeyId, 20).default([]).meta({ description: "Ids of passkeys that are not removed." }),
      keepIdentities: list(text(1, 1024), 20)
        .default([])
        .meta({ description: "Issuers of identities at other providers that are not removed." }),
    }),
    output: accountView,
    errors: ["cross_origin", "link_ended", "weak_password", "not_supported", "busy"],
  },
  signIn: {
    summary: "Signs in with a password. The response sets the cookie of the session.",
    access: "none",
    input: z.object({
      username,
      password,
      stay,
    }),
    output: accountView,
    errors: ["cross_origin", "suspended", "rate_limited", "busy"],
  },
  enter: {
    summary: "Signs in with a link of the demo.",
    access: "none",
    input: z.object({ secret }),
    output: accountView,
    errors: ["cross_origin", "link_ended"],
  },
  signOut: {
    summary: "Ends the session of the cookie, and removes the cookie.",
    access: "none",
    input: none,
    output: z.null(),
    errors: ["cross_origin"],
  },
});

/** A person's own account. Only the cookie of a session opens it, because an application with a token could take the account. */
const ownContract = defineContract({
  show: {
    summary: "The account that is signed in.",
    access: "token",
    input: none,
    output: accountView,
    errors: ["not_allowed"],
  },
  amend: {
    summary: "Changes the given fields of one's own account.",
    access: "token",
    input: z.object({
      username: username.optional(),
      nickname: nickname.optional(),
      showRead: z.boolean().optional(),
      notify: z.enum(["all", "mentions", "none"]).optional(),
    }),
    output: accountView,
    errors: ["not_allowed", "username_taken", "busy"],
  },
  remove: {
    summary:
      "Deletes one's own account. The messages stay in their rooms; the id and the username are not given again.",
    access: "token",
    input: z.object({ password: current }),
    output: z.null(),
    errors: [...guarded, "last_admin"],
  },
  setPassword: {
    summary: "Sets the password, and ends the other sessions. Tokens stay.",
    access: "token",
    input: z.object({ current, password }),
    output: accountView,
    errors: [...guarded, "weak_password"],
  },
  removePassword: {
    summary: "Removes the password of an account that has another way to sign in.",
    access: "token",
    input: none,
    output: accountView,
    errors: [...guarded, "last_way"],
  },
  confirm: {
    summary:
      "Confirms the password or a passkey: for 10 minutes one may change how one signs in, for an hour act as an admin.",
    access: "token",
    input: z.object({
      password: password.optional().meta({ description: "Left out with a passkey." }),
      passkey: usedPasskey.optional(),
    }),
    output: z.null(),
    errors: [...guarded, "not_supported"],
  },
  sessions: {
    summary: "Lists the browsers that are signed in to one's account, the last used first.",
    access: "token",
    input: none,
    output: z.object({ list: z.array(sessionView) }),
    errors: ["not_allowed"],
  },
  endSession: {
    summary: "Signs a browser out. Its sockets are closed within a second.",
    access: "token",
    input: z.object({ id: text(1, 64) }),
    output: z.null(),
    errors: ["not_allowed", "not_found"],
  },
  issueToken: {
    summary: "Issues a token of one's own. It is shown only once.",
    access: "token",
    input: z.object({
      name: text(1, 64).optional(),
      scopes: list(z.enum(["chat", "profile"]), 2, 1),
      expires: z
        .int()
        .min(60)
        .max(3650 * day)
        .default(90 * day)
        .meta({ description: "Seconds." }),
    }),
    output: z.object({ id: z.int(), token: z.string(), expiresAt: z.string().nullable() }),
    errors: guarded,
  },
  ticket: {
    summary: "Makes a ticket that opens one socket within 60 seconds, in the place of the token.",
    access: "token",
    input: none,
    output: z.object({ ticket: z.string(), expiresIn: z.int().meta({ description: "Seconds." }) }),
    errors: ["not_allowed", "rate_limited"],
  },
  invite: {
    summary: "Makes an invitation into rooms that one runs. It is shown only once.",
    access: "token",
    input: z.object({ groups: rooms(1), uses: invitationUses, life: linkLife }),
    output: madeLinkView,
    errors: ["not_allowed", "not_confirmed", "group_not_found", "registration_closed", "quota_exceeded"],
  },
  invitations: {
    summary: "Lists one's own invitations by id, without their secrets.",
    access: "token",
    input: z.object({ after: text(1, 64).optional(), limit: z.int().min(1).max(1000).default(100) }),
    output: z.array(invitationView),
    errors: ["not_allowed"],
  },
  revokeInvitation: {
    summary: "Ends one of one's own invitations. Accounts that were opened with it stay.",
    access: "token",
    input: z.object({ id: text(1, 64) }),
    output: z.null(),
    errors: ["not_allowed", "not_found"],
  },
});

/** Operations on the caller's own account. */
export const accountContract = {
  ...enteringContract,
  ...ownContract,
  ...identityContract,
  ...applicationContract,
  ...passkeyContract,
  ...promptContract,
} as const;

/** Ways into an account, and the account itself. */
export type AccountContract = typeof accountContract;
