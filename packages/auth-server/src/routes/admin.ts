import { type Operator, TelexError, type TokenHolder } from "@telex/core";
import { viewInvitation, viewMadeLink, viewSession, viewSummary } from "../accounts/views.ts";
import { importPeople, type ImportResult } from "../accounts/import-people.ts";
import { lives } from "../sessions/lives.ts";
import type { AccountAdminContract } from "../contract/admin.ts";
import { viewClient } from "../oauth/clients/view.ts";
import type { Runs } from "../contract/routes-of.ts";
import type { RouteParts } from "./parts.ts";

type AdminRuns<K extends keyof AccountAdminContract> = Pick<Runs<AccountAdminContract>, K>;

/** The user who makes a link; null for the operator. */
const makerOf = (caller: Operator | TokenHolder): number | null => (caller.kind === "token" ? caller.userId : null);

const byOf = (caller: Operator | TokenHolder): number | "operator" => makerOf(caller) ?? "operator";

const createLinkRuns = ({
  services: { invitations, recovery },
  storage,
  telex,
}: RouteParts): AdminRuns<"invite" | "invitations" | "revokeInvitation" | "recovery"> => ({
  async invite(caller, input) {
    const made = await invitations.make(makerOf(caller), input);
    telex.security.note("link.made", { by: byOf(caller), linkId: made.id, kind: "invitation" });
    return viewMadeLink(made);
  },
  async invitations(_caller, { after = "", limit }) {
    const links = await storage.accounts.listLinks({ kind: "invitation", after, limit });
    return links.map(viewInvitation);
  },
  async revokeInvitation(caller, { id: linkId }) {
    const key = { linkId, kind: "invitation", now: telex.clock.now() } as const;
    if ((await storage.accounts.revokeLink(key)) === null) throw new TelexError("not_found");
    telex.security.note("link.revoked", { by: byOf(caller), linkId });
    return null;
  },
  async recovery(caller, { id: userId }) {
    const made = await recovery.make(makerOf(caller), userId);
    telex.security.note("link.made", { by: byOf(caller), userId, linkId: made.id, kind: "recovery" });
    return viewMadeLink(made);
  },
});

const createMemberRuns = ({
  services: { members },
  storage,
  telex,
}: RouteParts): AdminRuns<"accounts" | "account" | "sessions" | "endSessions" | "unlink"> => ({
  async accounts(_caller, { after = 0, limit }) {
    return (await storage.accounts.listAccounts({ after, limit })).map(viewSummary);
  },
  async account(_caller, { id: userId }) {
    return viewSummary(await members.find(userId));
  },
  async sessions(_caller, { id: userId }) {
    return { list: (await members.sessions(userId)).map((one) => viewSession(one, null)) };
  },
  async endSessions(caller, { id: userId, session = null }) {
    const ended = await members.endSessions(userId, session);
    telex.security.note("session.ended", { by: byOf(caller), userId });
    return { ended };
  },
  async unlink(caller, { id: userId, issuer }) {
    await members.unlink(userId, issuer);
    telex.security.note("account.changed", { by: byOf(caller), userId });
    return null;
  },
});

const viewResult = ({ outcome, userId, link }: ImportResult) => ({
  outcome,
  id: userId,
  url: link?.url ?? null,
  expiresAt: link === null ? null : new Date(link.until).toISOString(),
});

const createImportRuns = ({ services: { recovery }, storage, telex }: RouteParts): AdminRuns<"importPeople"> => ({
  async importPeople(caller, { people, isTrial }) {
    const makeLink = (userId: number) => recovery.make(makerOf(caller), userId, lives.invitation);
    const results = await importPeople({ telex, storage, makeLink }, people, isTrial);
    for (const { outcome, userId, link } of isTrial ? [] : results) {
      if (outcome === "new") telex.security.note("user.added", { by: byOf(caller), userId });
      if (link !== null)
        telex.security.note("link.made", { by: byOf(caller), userId, linkId: link.id, kind: "recovery" });
    }
    return { list: results.map(viewResult) };
  },
});

const createClientRuns = ({
  oauth: { clients },
  telex,
}: RouteParts): AdminRuns<"clients" | "addClient" | "removeClient"> => ({
  clients: async (_caller, { after = "", limit }) => (await clients.list({ after, limit })).map(viewClient),
  async addClient(caller, input) {
    const { client, secret } = await clients.add(input);
    telex.security.note("client.changed", { by: byOf(caller), clientId: client.clientId });
    return { ...viewClient(client), secret };
  },
  async removeClient(caller, { id: clientId }) {
    await clients.remove(clientId);
    telex.security.note("client.changed", { by: byOf(caller), clientId });
    return null;
  },
});

/** The operations of admins on accounts. */
export const createAdminRuns = (parts: RouteParts): Runs<AccountAdminContract> => ({
  ...createLinkRuns(parts),
  ...createMemberRuns(parts),
  ...createImportRuns(parts),
  ...createClientRuns(parts),
});
