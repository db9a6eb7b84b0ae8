import { operator, TelexError, type TokenHolder } from "@telex/core";
import type { Account } from "@telex/core/storage";
import { viewAccount, viewInvitation, viewMadeLink, viewSession } from "../accounts/views.ts";
import type { AccountContract } from "../contract/account.ts";
import type { Runs } from "../contract/routes-of.ts";
import type { RouteParts } from "./parts.ts";
import { requestOf } from "./request.ts";

type OwnRuns<K extends keyof AccountContract> = Pick<Runs<AccountContract>, K>;

/** Shows an account to its owner, after a change with a line in the log of security. */
function createShow({ storage, telex, services: { invitations } }: RouteParts) {
  const view = async (one: Account) => {
    const user = await storage.users.findUser(one.userId);
    if (user === null) throw new TelexError("invalid_token");
    return viewAccount(one, user, invitations.canInvite(one));
  };
  const changed = async (one: Account) => {
    telex.security.note("account.changed", { userId: one.userId });
    return await view(one);
  };
  return { view, changed };
}

/** The operations on the account itself. */
export function createOwnRuns(
  parts: RouteParts,
): OwnRuns<"show" | "amend" | "remove" | "setPassword" | "removePassword" | "confirm"> {
  const { sessions, own } = parts.services;
  const { view, changed } = createShow(parts);
  return {
    show: async (caller) => await view(sessions.of(caller).account),
    amend: async (caller, input) => await changed(await own.change(sessions.of(caller), input)),
    async remove(caller, { password }, context) {
      const current = sessions.of(caller);
      await own.assertConfirmed(current, password, requestOf(context));
      await own.remove(current);
      await sessions.end(requestOf(context));
      return null;
    },
    async setPassword(caller, input, context) {
      const current = sessions.of(caller);
      await own.assertConfirmed(current, input.current, requestOf(context));
      return await changed(await own.setPassword(current, input.password));
    },
    async removePassword(caller, _input, context) {
      const current = sessions.of(caller);
      await own.assertConfirmed(current, undefined, requestOf(context));
      return await changed(await own.removePassword(current));
    },
    async confirm(caller, proof, context) {
      await own.confirm(sessions.of(caller), proof, requestOf(context));
      return null;
    },
  };
}

/** The operations on browsers, tokens and tickets of one's own. */
export const createAccessRuns = ({
  services: { sessions, own, tickets },
  storage,
  telex,
}: RouteParts): OwnRuns<"sessions" | "endSession" | "issueToken" | "ticket"> => ({
  async sessions(caller) {
    const { account, session } = sessions.of(caller);
    const all = await storage.accounts.listSessions(account.userId, telex.clock.now());
    return { list: all.map((one) => viewSession(one, session.sessionId)) };
  },
  async endSession(caller, { id: sessionId }) {
    const { userId } = sessions.of(caller).account;
    if (!(await storage.accounts.endSession({ sessionId, userId }))) throw new TelexError("not_found");
    telex.security.note("session.ended", { by: "user", userId });
    return null;
  },
  async issueToken(caller, { name, scopes, expires }, context) {
    await own.assertConfirmed(sessions.of(caller), undefined, requestOf(context));
    const { userId } = caller;
    const issued = await telex.operator.tokens.issue(operator, { userId, scopes, name, life: expires * 1000 });
    return { id: issued.id, token: issued.token, expiresAt: issued.expiresAt };
  },
  async ticket(caller) {
    if (!caller.scopes.includes("chat")) throw new TelexError("not_allowed");
    return await tickets.make(caller);
  },
});

/** Admins invite into all rooms; if members may invite, they invite into the rooms that they run. */
async function assertRunsRooms(
  { invitations }: Pick<RouteParts["services"], "invitations">,
  { userId, scopes, mustConfirm = false }: TokenHolder,
  groups: readonly number[],
): Promise<void> {
  if (scopes.includes("admin") || (await invitations.mayInviteTo(userId, groups))) return;
  throw new TelexError(mustConfirm ? "not_confirmed" : "not_allowed");
}

/** The operations on invitations of one's own. */
export const createInvitationRuns = ({
  services: { sessions, invitations },
  storage,
  telex,
}: RouteParts): OwnRuns<"invite" | "invitations" | "revokeInvitation"> => ({
  async invite(caller, input) {
    const { userId } = sessions.of(caller).account;
    await assertRunsRooms({ invitations }, caller, input.groups);
    const made = await invitations.make(userId, input);
    telex.security.note("link.made", { by: userId, linkId: made.id, kind: "invitation" });
    return viewMadeLink(made);
  },
  async invitations(caller, { after = "", limit }) {
    const makerId = sessions.of(caller).account.userId;
    const links = await storage.accounts.listLinks({ kind: "invitation", makerId, after, limit });
    return links.map(viewInvitation);
  },
  async revokeInvitation(caller, { id: linkId }) {
    const makerId = sessions.of(caller).account.userId;
    const key = { linkId, kind: "invitation", makerId, now: telex.clock.now() } as const;
    if ((await storage.accounts.revokeLink(key)) === null) throw new TelexError("not_found");
    telex.security.note("link.revoked", { by: makerId, linkId });
    return null;
  },
});
