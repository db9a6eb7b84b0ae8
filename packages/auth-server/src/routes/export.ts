import { type TokenHolder, TelexError } from "@telex/core";
import { defineRoute, outgoingStream, type PluginRoute } from "@telex/http";
import { z } from "zod";
import { listPrompts } from "../accounts/prompts.ts";
import { viewAccount, viewSession } from "../accounts/views.ts";
import { exportRoute } from "../contract/export.ts";
import { bytesOf, objectOf } from "../export/json.ts";
import { ownData } from "../export/own-data.ts";
import type { Current } from "../sessions/sessions.ts";
import { createApplicationRuns } from "./applications.ts";
import type { RouteParts } from "./parts.ts";
import { requestOf } from "./request.ts";

/** The account, its sessions, tokens, applications and prompts: each of these lists is short. No secret is in them. */
async function accountData(parts: RouteParts, caller: TokenHolder, { account, session }: Current) {
  const { telex, storage, services } = parts;
  const user = await storage.users.findUser(account.userId);
  if (user === null) throw new TelexError("invalid_token");
  const sessions = await storage.accounts.listSessions(account.userId, telex.clock.now());
  const { applications } = createApplicationRuns(parts);
  return {
    exportedAt: new Date(telex.clock.now()).toISOString(),
    account: viewAccount(account, user, services.invitations.canInvite(account)),
    sessions: sessions.map((one) => viewSession(one, session.sessionId)),
    tokens: await telex.users.tokens(caller, {}),
    applications: (await applications(caller, {}, {})).list,
    prompts: await listPrompts(parts, account.userId),
  };
}

/** The export of one's own data. A person has one at a time: a new one ends the previous one. */
export function exportRoutes(parts: RouteParts): PluginRoute[] {
  const { telex, services } = parts;
  const latest = new Map<number, object>();
  async function* pieces(userId: number, bytes: AsyncIterable<Uint8Array>, own: object) {
    try {
      yield* bytes;
    } finally {
      if (latest.get(userId) === own) latest.delete(userId);
    }
  }
  return [
    defineRoute({
      ...exportRoute,
      name: "account.export",
      summary:
        "One's own data as a JSON file: account, sessions, tokens without secrets, applications, prompts, rooms with one's own messages, devices with their texts, conversations, and files with their paths. A new export ends the previous one.",
      access: "chat",
      input: z.object({}),
      output: outgoingStream,
      errors: ["not_allowed", "not_confirmed", "rate_limited", "busy"],
      async run({ caller, context }) {
        const current = services.sessions.of(caller);
        await services.own.assertConfirmed(current, undefined, requestOf(context));
        const { userId, username } = current.account;
        const data = await accountData(parts, caller, current);
        telex.security.note("account.exported", { userId });
        const own = {};
        latest.set(userId, own);
        const assertGoesOn = (): void => {
          if (latest.get(userId) !== own) throw new TelexError("busy");
        };
        const bytes = bytesOf(objectOf(data, ownData(telex, caller)), assertGoesOn);
        return { name: `telex-${username}.json`, mime: "application/json", bytes: pieces(userId, bytes, own) };
      },
    }),
  ];
}
