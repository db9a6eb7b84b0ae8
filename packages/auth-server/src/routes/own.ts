import { operator, TelexError, type TokenHolder } from "@telex/core";
import { list, text } from "@telex/core/contract";
import type { Account } from "@telex/core/storage";
import { defineRoute, type PluginRoute } from "@telex/http";
import { z } from "zod";
import { accountView, sessionView, viewAccount, viewSession } from "../accounts/views.ts";
import { base, type RouteParts } from "./parts.ts";
import { fields, requestOf } from "./request.ts";

/** Only the cookie of a session opens these: a token that an application has could take the account otherwise. */
const own = { access: "token" } as const;
const { username, password, nickname } = fields;
const guarded = ["not_allowed", "not_confirmed", "rate_limited", "busy"] as const;

/** Shows an account to its owner, after a change with a line in the log of security. */
function createShow({ storage, telex }: RouteParts) {
  const view = async (one: Account) => {
    const user = await storage.users.findUser(one.userId);
    if (user === null) throw new TelexError("invalid_token");
    return viewAccount(one, user);
  };
  const changed = async (one: Account) => {
    telex.security.note("account.changed", { userId: one.userId });
    return await view(one);
  };
  return { view, changed };
}

function profileRoutes(parts: RouteParts): PluginRoute[] {
  const { sessions, own: account } = parts.services;
  const { view, changed } = createShow(parts);
  return [
    defineRoute({
      ...own,
      method: "GET",
      name: "account.show",
      path: `${base}/account`,
      summary: "The account that is signed in.",
      input: z.object({}),
      output: accountView,
      errors: ["not_allowed"],
      run: async ({ caller }) => await view(sessions.of(caller).account),
    }),
    defineRoute({
      ...own,
      method: "PATCH",
      name: "account.amend",
      path: `${base}/account`,
      summary: "Changes the given fields of one's own account.",
      input: z.object({
        username: username.optional(),
        nickname: nickname.optional(),
        showRead: z.boolean().optional(),
        notify: z.enum(["all", "mentions", "none"]).optional(),
      }),
      output: accountView,
      errors: ["not_allowed", "username_taken", "busy"],
      run: async ({ caller, input }) => await changed(await account.change(sessions.of(caller), input)),
    }),
  ];
}

function passwordRoutes(parts: RouteParts): PluginRoute[] {
  const { sessions, own: account } = parts.services;
  const { changed } = createShow(parts);
  return [
    defineRoute({
      ...own,
      method: "POST",
      name: "account.setPassword",
      path: `${base}/account/password`,
      summary: "Sets the password, and ends the other sessions. Tokens stay.",
      input: z.object({
        current: password.optional().meta({ description: "Needed if the person signed in more than 10 minutes ago." }),
        password,
      }),
      output: accountView,
      errors: [...guarded, "weak_password"],
      cost: 10,
      run: async ({ caller, input, context }) => {
        const current = sessions.of(caller);
        await account.assertConfirmed(current, input.current, requestOf(context));
        return await changed(await account.setPassword(current, input.password));
      },
    }),
    defineRoute({
      ...own,
      method: "DELETE",
      name: "account.removePassword",
      path: `${base}/account/password`,
      summary: "Removes the password of an account that has another way to sign in.",
      input: z.object({}),
      output: accountView,
      errors: [...guarded, "last_way"],
      run: async ({ caller, context }) => {
        const current = sessions.of(caller);
        await account.assertConfirmed(current, undefined, requestOf(context));
        return await changed(await account.removePassword(current));
      },
    }),
    defineRoute({
      ...own,
      method: "POST",
      name: "account.confirm",
      path: `${base}/account/confirm`,
      summary: "Confirms the password: for 10 minutes one may change how one signs in, for an hour act as an admin.",
      input: z.object({ password }),
      output: z.null(),
      errors: guarded,
      cost: 10,
      run: async ({ caller, input, context }) => {
        await account.confirm(sessions.of(caller), input.password, requestOf(context));
        return null;
      },
    }),
  ];
}

function sessionRoutes({ services: { sessions }, storage, telex }: RouteParts): PluginRoute[] {
  return [
    defineRoute({
      ...own,
      method: "GET",
      name: "account.sessions",
      path: `${base}/account/sessions`,
      summary: "Lists the browsers that are signed in to one's account, the last used first.",
      input: z.object({}),
      output: z.object({ list: z.array(sessionView) }),
      errors: ["not_allowed"],
      run: async ({ caller }) => {
        const { account, session } = sessions.of(caller);
        const all = await storage.accounts.listSessions(account.userId, telex.clock.now());
        return { list: all.map((one) => viewSession(one, session.sessionId)) };
      },
    }),
    defineRoute({
      ...own,
      method: "DELETE",
      name: "account.endSession",
      path: `${base}/account/sessions/:id`,
      summary: "Signs a browser out. Its sockets are closed within a second.",
      input: z.object({ id: text(1, 64) }),
      output: z.null(),
      errors: ["not_allowed", "not_found"],
      run: async ({ caller, input }) => {
        const { userId } = sessions.of(caller).account;
        if (!(await storage.accounts.endSession({ sessionId: input.id, userId }))) throw new TelexError("not_found");
        telex.security.note("session.ended", { by: "user", userId });
        return null;
      },
    }),
  ];
}

const scope = z.enum(["chat", "profile"]);
const day = 86_400;

const isPlain = ({ scopes }: TokenHolder): boolean => scopes.includes("chat");

function tokenRoutes({ services: { sessions, own: account, tickets }, telex }: RouteParts): PluginRoute[] {
  return [
    defineRoute({
      ...own,
      method: "POST",
      name: "account.issueToken",
      path: `${base}/tokens`,
      summary: "Issues a token of one's own. It is shown only once.",
      input: z.object({
        name: text(1, 64).optional(),
        scopes: list(scope, 2, 1),
        expires: z
          .int()
          .min(60)
          .max(3650 * day)
          .optional()
          .meta({ description: "Seconds; 90 days by default." }),
      }),
      output: z.object({ id: z.int(), token: z.string(), expiresAt: z.string().nullable() }),
      errors: guarded,
      run: async ({ caller, input: { name, scopes, expires = 90 * day }, context }) => {
        const current = sessions.of(caller);
        await account.assertConfirmed(current, undefined, requestOf(context));
        const life = expires * 1000;
        const issued = await telex.operator.tokens.issue(operator, { userId: caller.userId, scopes, name, life });
        return { id: issued.id, token: issued.token, expiresAt: issued.expiresAt };
      },
    }),
    defineRoute({
      access: "token",
      method: "POST",
      name: "account.ticket",
      path: `${base}/tickets`,
      summary: "Makes a ticket that opens one socket within 60 seconds, in the place of the token.",
      input: z.object({}),
      output: z.object({ ticket: z.string(), expiresIn: z.int().meta({ description: "Seconds." }) }),
      errors: ["not_allowed", "rate_limited"],
      run: async ({ caller }) => {
        if (!isPlain(caller)) throw new TelexError("not_allowed");
        return await tickets.make(caller);
      },
    }),
  ];
}

/** Routes of one's own account. */
export const ownRoutes = (parts: RouteParts): PluginRoute[] => [
  ...profileRoutes(parts),
  ...passwordRoutes(parts),
  ...sessionRoutes(parts),
  ...tokenRoutes(parts),
];
