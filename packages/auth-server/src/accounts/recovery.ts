import { TelexError } from "@telex/core";
import type { Account, LinkRecord } from "@telex/core/storage";
import { z } from "zod";
import type { PasswordHasher } from "../credentials/hashing.ts";
import { acceptPassword } from "../credentials/passwords.ts";
import { makeLink, type MadeLink, readLink } from "../links/links.ts";
import type { AuthDeps } from "../options.ts";
import { lives } from "../sessions/lives.ts";

const recoveryData = z.object({ userId: z.int() });

/** The last recovery of an account: who made the link, and when it was used. */
export const recoveryNote = z.object({ by: z.int().nullable(), madeAt: z.int(), usedAt: z.int() });

interface RecoveryDeps extends AuthDeps {
  readonly hasher: PasswordHasher;
}

async function accountOf({ storage }: AuthDeps, userId: number): Promise<Account> {
  const account = await storage.accounts.findAccount({ userId });
  if (account === null) throw new TelexError("user_not_found");
  return account;
}

/** Says in each room of a person that a link of an admin lets them in again. Before it does: an admin must not become somebody else unseen. */
async function announce({ telex, storage }: AuthDeps, userId: number, { makerId }: LinkRecord): Promise<void> {
  if (makerId === null || makerId === userId) return;
  for (const groupId of await storage.groups.listGroupsOf(userId)) await telex.announceRecovery(groupId, makerId);
}

/** Links with which a person who has lost their password comes in again. */
export function createRecovery(deps: RecoveryDeps) {
  const { telex, storage, hasher } = deps;
  const useOf = (secret: string) => ({ digest: readLink(secret), kind: "recovery", now: telex.clock.now() }) as const;
  const find = async (secret: string) => {
    const link = await storage.accounts.findLink(useOf(secret));
    if (link === null) throw new TelexError("link_ended");
    const { userId } = recoveryData.parse(JSON.parse(link.data));
    const account = await storage.accounts.findAccount({ userId });
    if (account === null) throw new TelexError("link_ended");
    return { link, account };
  };
  return {
    /**
     * Makes a link; the earlier one of the account ends. An unused link changes nothing.
     * @param makerId the admin; null for the operator, who alone may do it for an admin
     * @throws TelexError `user_not_found`, `not_allowed`
     */
    async make(makerId: number | null, userId: number): Promise<MadeLink> {
      const { role } = await accountOf(deps, userId);
      if (makerId !== null && role === "admin") throw new TelexError("not_allowed");
      const link = { kind: "recovery", page: "/user/recover", makerId, life: lives.recovery } as const;
      return await makeLink(deps, { ...link, data: { userId }, slot: `recovery ${userId}` });
    },
    /** The account that a link recovers. Uses nothing. Throws `link_ended`. */
    find: async (secret: string): Promise<Account> => (await find(secret)).account,
    /** Sets a new password, and ends sessions, tokens and grants. Throws `link_ended`, `weak_password`, `busy`. */
    async recover(secret: string, password: string): Promise<Account> {
      const { link, account } = await find(secret);
      const passwordHash = await hasher.hash(await acceptPassword(password, account.username));
      await announce(deps, account.userId, link);
      const now = telex.clock.now();
      const note: z.output<typeof recoveryNote> = { by: link.makerId, madeAt: link.createdAt, usedAt: now };
      const amended = await storage.accounts.amendAccount({
        userId: account.userId,
        rev: account.rev,
        change: { passwordHash, recovery: JSON.stringify(note) },
        link: useOf(secret),
        endSessions: { except: null },
        endAccess: now,
      });
      if (amended.outcome === "amended") return amended.account;
      throw new TelexError(amended.outcome === "stale" ? "busy" : "link_ended");
    },
  };
}
