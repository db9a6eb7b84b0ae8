import { type Operator, TelexError, type TokenHolder } from "@telex/core";
import { id, list, text } from "@telex/core/contract";
import { defineRoute, type PluginRoute } from "@telex/http";
import { z } from "zod";
import { invitationView, madeLinkView, viewInvitation, viewMadeLink } from "../accounts/views.ts";
import { base, type RouteParts } from "./parts.ts";

const admin = { access: "operator" } as const;

/** The user who makes a link; null for the operator. */
const makerOf = (caller: Operator | TokenHolder): number | null => (caller.kind === "token" ? caller.userId : null);

const longestLife = 365 * 86_400;

function invitationRoutes({ services: { invitations }, storage, telex }: RouteParts): PluginRoute[] {
  return [
    defineRoute({
      ...admin,
      method: "POST",
      name: "accounts.invite",
      path: `${base}/admin/invitations`,
      summary: "Makes a link with which people open an account and enter rooms. It is shown only once.",
      input: z.object({
        nickname: text(1, 64).optional().meta({ description: "The name that the page proposes." }),
        groups: list(id, 100).default([]).meta({ description: "Rooms that are entered." }),
        uses: z.int().min(1).max(1000).default(1),
        life: z.int().min(60).max(longestLife).default(604_800).meta({ description: "Seconds." }),
      }),
      output: madeLinkView,
      errors: ["group_not_found", "registration_closed", "quota_exceeded"],
      run: async ({ caller, input }) => {
        const made = await invitations.make(makerOf(caller), input);
        telex.security.note("link.made", { by: makerOf(caller) ?? "operator", linkId: made.id, kind: "invitation" });
        return viewMadeLink(made);
      },
    }),
    defineRoute({
      ...admin,
      method: "GET",
      name: "accounts.invitations",
      path: `${base}/admin/invitations`,
      summary: "Lists invitations by id, without their secrets.",
      input: z.object({ after: text(1, 64).optional(), limit: z.int().min(1).max(1000).default(100) }),
      output: z.array(invitationView),
      run: async ({ input: { after = "", limit } }) => {
        const links = await storage.accounts.listLinks({ kind: "invitation", after, limit });
        return links.map(viewInvitation);
      },
    }),
    defineRoute({
      ...admin,
      method: "DELETE",
      name: "accounts.revokeInvitation",
      path: `${base}/admin/invitations/:id`,
      summary: "Ends an invitation. Accounts that were opened with it stay.",
      input: z.object({ id: text(1, 64) }),
      output: z.null(),
      errors: ["not_found"],
      run: async ({ caller, input }) => {
        const key = { linkId: input.id, kind: "invitation", now: telex.clock.now() } as const;
        if ((await storage.accounts.revokeLink(key)) === null) throw new TelexError("not_found");
        telex.security.note("link.revoked", { by: makerOf(caller) ?? "operator", linkId: input.id });
        return null;
      },
    }),
  ];
}

function memberRoutes({ services: { recovery, members }, telex }: RouteParts): PluginRoute[] {
  return [
    defineRoute({
      ...admin,
      method: "POST",
      name: "accounts.recovery",
      path: `${base}/admin/users/:id/recovery`,
      summary:
        "Makes a link with which a person who has lost their password sets a new one. Its use is announced in each room of the person. Not for accounts of admins.",
      input: z.object({ id }),
      output: madeLinkView,
      errors: ["user_not_found", "not_allowed"],
      run: async ({ caller, input }) => {
        const made = await recovery.make(makerOf(caller), input.id);
        const by = makerOf(caller) ?? "operator";
        telex.security.note("link.made", { by, userId: input.id, linkId: made.id, kind: "recovery" });
        return viewMadeLink(made);
      },
    }),
    defineRoute({
      ...admin,
      method: "PATCH",
      name: "accounts.amend",
      path: `${base}/admin/accounts/:id`,
      summary: "Changes the role of an account. The last admin keeps it.",
      input: z.object({ id, role: z.literal("admin").nullable() }),
      output: z.null(),
      errors: ["user_not_found", "last_admin", "busy"],
      run: async ({ caller, input }) => {
        await members.setRole(input.id, input.role);
        telex.security.note("account.changed", { by: makerOf(caller) ?? "operator", userId: input.id });
        return null;
      },
    }),
  ];
}

/** Routes for admins. */
export const adminAccountRoutes = (parts: RouteParts): PluginRoute[] => [
  ...invitationRoutes(parts),
  ...memberRoutes(parts),
];
