import { TelexError } from "@telex/core";
import type { Account } from "@telex/core/storage";
import { defineRoute, type PluginRoute } from "@telex/http";
import { z } from "zod";
import { accountView, viewAccount } from "../accounts/views.ts";
import { base, type RouteParts } from "./parts.ts";
import { fields, requestOf } from "./request.ts";

/** Calls without a session that cost a hash count as ten. */
const open = { method: "POST", access: "none", output: accountView, cost: 10 } as const;

const { username, password, nickname, secret } = fields;
const opening = z.object({ username, nickname: nickname.optional(), password });

/** The account of a person who came in. */
async function show({ storage }: RouteParts, account: Account) {
  const user = await storage.users.findUser(account.userId);
  if (user === null) throw new TelexError("invalid_token");
  return viewAccount(account, user);
}

function openRoutes(parts: RouteParts): PluginRoute[] {
  const { entering } = parts;
  return [
    defineRoute({
      ...open,
      name: "account.setup",
      path: `${base}/account/setup`,
      summary: "Opens the account of the first admin with a set-up link, and signs in.",
      input: opening.extend({ secret }),
      errors: ["cross_origin", "link_ended", "username_taken", "weak_password", "busy"],
      run: async ({ input, context }) => await show(parts, await entering.setup(input, requestOf(context))),
    }),
    defineRoute({
      ...open,
      name: "account.join",
      path: `${base}/account/join`,
      summary: "Opens an account with an invitation, enters its rooms, and signs in.",
      input: opening.extend({ secret }),
      errors: ["cross_origin", "registration_closed", "link_ended", "username_taken", "weak_password", "busy"],
      run: async ({ input, context }) => await show(parts, await entering.join(input, requestOf(context))),
    }),
    defineRoute({
      ...open,
      name: "account.register",
      path: `${base}/account/register`,
      summary: "Opens an account where the server lets everybody do so, and signs in.",
      input: opening,
      errors: ["cross_origin", "registration_closed", "username_taken", "weak_password", "busy"],
      run: async ({ input, context }) => await show(parts, await entering.register(input, requestOf(context))),
    }),
  ];
}

function signInRoutes(parts: RouteParts): PluginRoute[] {
  const { entering } = parts;
  return [
    defineRoute({
      ...open,
      name: "account.recover",
      path: `${base}/account/recover`,
      summary: "Sets a new password with a recovery link, ends all sessions, tokens and grants, and signs in.",
      input: z.object({ secret, password }),
      errors: ["cross_origin", "link_ended", "weak_password", "busy"],
      run: async ({ input, context }) => await show(parts, await entering.recover(input, requestOf(context))),
    }),
    defineRoute({
      ...open,
      name: "account.signIn",
      path: `${base}/account/signIn`,
      summary: "Signs in with a password. The response sets the cookie of the session.",
      input: z.object({
        username,
        password,
        stay: z.boolean().default(false).meta({ description: "True: for 30 days without use, instead of 12 hours." }),
      }),
      errors: ["cross_origin", "suspended", "rate_limited", "busy"],
      run: async ({ input, context }) => await show(parts, await entering.signIn(input, requestOf(context))),
    }),
    defineRoute({
      method: "POST",
      access: "none",
      name: "account.signOut",
      path: `${base}/account/signOut`,
      summary: "Ends the session of the cookie, and removes the cookie.",
      input: z.object({}),
      output: z.null(),
      errors: ["cross_origin"],
      run: async ({ context }) => {
        await entering.signOut(requestOf(context));
        return null;
      },
    }),
  ];
}

function demoRoutes(parts: RouteParts): PluginRoute[] {
  return [
    defineRoute({
      ...open,
      name: "account.enter",
      path: `${base}/account/enter`,
      summary: "Signs in with a link of the demo.",
      input: z.object({ secret }),
      errors: ["cross_origin", "link_ended"],
      run: async ({ input, context }) => await show(parts, await parts.entering.enter(input, requestOf(context))),
    }),
  ];
}

/** Routes that begin and end a session: each refuses a request that a page of another site made. */
export const enterRoutes = (parts: RouteParts): PluginRoute[] => [
  ...openRoutes(parts),
  ...signInRoutes(parts),
  ...demoRoutes(parts),
];
