import { TelexError } from "@telex/core";
import type { CallContext } from "@telex/core/contract";
import type { Account } from "@telex/core/storage";
import { defineRoute, type PluginRoute } from "@telex/http";
import { z } from "zod";
import { accountView, viewAccount } from "../accounts/views.ts";
import { base, type RouteParts } from "./parts.ts";
import { assertNotForeign, fields, requestOf } from "./request.ts";

/** Calls without a session that cost a hash count as ten. */
const open = { method: "POST", access: "none", output: accountView, cost: 10 } as const;

const { username, password, nickname, secret } = fields;
const opening = z.object({ username, nickname: nickname.optional(), password });

/** Signs a person in who has shown what it takes, and answers with their account. */
async function enter({ storage, services, telex }: RouteParts, account: Account, stay: boolean, context: CallContext) {
  const request = requestOf(context);
  const { userId } = account;
  await services.sessions.begin(account, stay, request);
  telex.security.note("account.entered", { userId, address: request.address() });
  const user = await storage.users.findUser(userId);
  if (user === null) throw new TelexError("invalid_token");
  return viewAccount(account, user);
}

/** Refuses a request that a page of another site made. */
const guardOf =
  ({ origins }: RouteParts) =>
  (context: CallContext): void =>
    assertNotForeign(requestOf(context), origins);

function openRoutes(parts: RouteParts): PluginRoute[] {
  const { services, telex } = parts;
  const guard = guardOf(parts);
  const enterNew = async (account: Account, context: CallContext) => {
    telex.security.note("account.opened", { userId: account.userId, address: requestOf(context).address() });
    return await enter(parts, account, false, context);
  };
  return [
    defineRoute({
      ...open,
      name: "account.setup",
      path: `${base}/account/setup`,
      summary: "Opens the account of the first admin with a set-up link, and signs in.",
      input: opening.extend({ secret }),
      errors: ["cross_origin", "link_ended", "username_taken", "weak_password", "busy"],
      run: async ({ input, context }) => {
        guard(context);
        return await enterNew(await services.open.setup(input), context);
      },
    }),
    defineRoute({
      ...open,
      name: "account.join",
      path: `${base}/account/join`,
      summary: "Opens an account with an invitation, enters its rooms, and signs in.",
      input: opening.extend({ secret }),
      errors: ["cross_origin", "registration_closed", "link_ended", "username_taken", "weak_password", "busy"],
      run: async ({ input, context }) => {
        guard(context);
        return await enterNew(await services.open.join(input), context);
      },
    }),
    defineRoute({
      ...open,
      name: "account.register",
      path: `${base}/account/register`,
      summary: "Opens an account where the server lets everybody do so, and signs in.",
      input: opening,
      errors: ["cross_origin", "registration_closed", "username_taken", "weak_password", "busy"],
      run: async ({ input, context }) => {
        guard(context);
        return await enterNew(await services.open.register(input), context);
      },
    }),
  ];
}

function signInRoutes(parts: RouteParts): PluginRoute[] {
  const { services, telex } = parts;
  const guard = guardOf(parts);
  return [
    defineRoute({
      ...open,
      name: "account.recover",
      path: `${base}/account/recover`,
      summary: "Sets a new password with a recovery link, ends all sessions, tokens and grants, and signs in.",
      input: z.object({ secret, password }),
      errors: ["cross_origin", "link_ended", "weak_password", "busy"],
      run: async ({ input, context }) => {
        guard(context);
        const account = await services.recovery.recover(input.secret, input.password);
        telex.security.note("account.recovered", { userId: account.userId, address: requestOf(context).address() });
        return await enter(parts, account, false, context);
      },
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
      run: async ({ input, context }) => {
        guard(context);
        const account = await services.signIn.signIn(input, requestOf(context));
        return await enter(parts, account, input.stay, context);
      },
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
        guard(context);
        await services.sessions.end(requestOf(context));
        return null;
      },
    }),
  ];
}

/** Routes that begin and end a session: each refuses a request that a page of another site made. */
export const enterRoutes = (parts: RouteParts): PluginRoute[] => [...openRoutes(parts), ...signInRoutes(parts)];
