import { defineContract, id, list, text } from "@telex/core/contract";
import { z } from "zod";
import { accountSummary, invitationView, madeLinkView, sessionView } from "../accounts/views.ts";
import { clientView, grantNames } from "../oauth/clients/view.ts";
import { oauthScopes } from "../oauth/scopes.ts";
import { invitationUses, linkLife, rooms } from "./fields.ts";

/** Operations of admins on the accounts of others. */
export const accountAdminContract = defineContract({
  invite: {
    summary: "Makes a link with which people open an account and enter rooms. It is shown only once.",
    access: "operator",
    input: z.object({
      nickname: text(1, 64).optional().meta({ description: "The name that the page proposes." }),
      groups: rooms(0).default([]),
      uses: invitationUses,
      life: linkLife,
    }),
    output: madeLinkView,
    errors: ["group_not_found", "registration_closed", "quota_exceeded"],
  },
  invitations: {
    summary: "Lists invitations by id, without their secrets.",
    access: "operator",
    input: z.object({ after: text(1, 64).optional(), limit: z.int().min(1).max(1000).default(100) }),
    output: z.array(invitationView),
    errors: [],
  },
  revokeInvitation: {
    summary: "Ends an invitation. Accounts that were opened with it stay.",
    access: "operator",
    input: z.object({ id: text(1, 64) }),
    output: z.null(),
    errors: ["not_found"],
  },
  recovery: {
    summary:
      "Makes a link with which a person who has lost their password sets a new one. Its use is announced in each room of the person. Not for accounts of admins.",
    access: "operator",
    input: z.object({ id }),
    output: madeLinkView,
    errors: ["user_not_found", "not_allowed"],
  },
  importPeople: {
    summary:
      "Opens accounts for many people, and makes a link for each with which they choose a password or passkey within a week. Asked again with the same people, it opens the missing accounts only, and makes new links for those who have not signed in; their earlier links end.",
    access: "operator",
    input: z.object({
      people: list(z.object({ username: text(1, 128), nickname: text(1, 64).optional() }), 200),
      isTrial: z
        .boolean()
        .default(false)
        .meta({ description: "True to change nothing, and report what would happen." }),
    }),
    output: z.object({
      list: z.array(
        z.object({
          outcome: z.enum(["new", "waiting", "known", "username", "twice", "gone"]).meta({
            description:
              "`new`: an account was opened; `waiting`: there is one that was never used to sign in; `known`: there is one; `username`, `twice` and `gone`: refused, because the username is not valid, is in the list already, or was that of a removed account.",
          }),
          id: z.int().nullable(),
          url: z.string().nullable().meta({ description: "Shown only once. Null also if too many links are open." }),
          expiresAt: z.string().nullable(),
        }),
      ),
    }),
    errors: [],
  },
  accounts: {
    summary: "Lists accounts by the id of the user. Users without an account are left out.",
    access: "operator",
    input: z.object({ after: id.optional(), limit: z.int().min(1).max(1000).default(100) }),
    output: z.array(accountSummary),
    errors: [],
  },
  account: {
    summary: "Shows the username and the role of a user with an account.",
    access: "operator",
    input: z.object({ id }),
    output: accountSummary,
    errors: ["user_not_found"],
  },
  sessions: {
    summary: "Lists the browsers that are signed in to an account, the last used first.",
    access: "operator",
    input: z.object({ id }),
    output: z.object({ list: z.array(sessionView) }),
    errors: ["user_not_found"],
  },
  endSessions: {
    summary: "Signs one browser of an account out, or all of them. Their sockets are closed within a second.",
    access: "operator",
    input: z.object({ id, session: text(1, 64).optional().meta({ description: "Default: all." }) }),
    output: z.object({ ended: z.int() }),
    errors: ["user_not_found", "not_found"],
  },
  unlink: {
    summary: "Removes the identity that an account has at another provider. The last way to sign in stays.",
    access: "operator",
    input: z.object({ id, issuer: text(1, 1024) }),
    output: z.null(),
    errors: ["user_not_found", "not_found", "last_way", "busy"],
  },
  clients: {
    summary: "Lists registered applications by id.",
    access: "operator",
    input: z.object({ after: text(1, 64).optional(), limit: z.int().min(1).max(1000).default(100) }),
    output: z.array(clientView),
    errors: [],
  },
  addClient: {
    summary: "Registers an application that may ask people for access. Its secret is shown only once.",
    access: "operator",
    input: z.object({
      name: text(1, 64),
      redirectUris: list(text(1, 512), 20).default([]).meta({
        description: "Where the code grant may lead. On 127.0.0.1 and [::1], the port of programs may differ.",
      }),
      grants: list(z.enum(grantNames), 3).default(["code", "refresh"]),
      scopes: list(z.enum(oauthScopes), 4).default(["openid", "profile"]),
      hasSecret: z.boolean().default(false).meta({ description: "True for an application on a server." }),
    }),
    output: clientView.extend({ secret: z.string().nullable() }),
    errors: [],
  },
  removeClient: {
    summary: "Removes an application, and ends everything that people have granted to it.",
    access: "operator",
    input: z.object({ id: text(1, 64) }),
    output: z.null(),
    errors: ["not_found"],
  },
});

/** The type of {@link accountAdminContract}. */
export type AccountAdminContract = typeof accountAdminContract;
