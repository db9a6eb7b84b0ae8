import { TelexError } from "@telex/core";
import type { Account, LinkRecord } from "@telex/core/storage";
import { z } from "zod";
import { makeLink, type MadeLink, readLink } from "../links/links.ts";
import type { AuthDeps } from "../options.ts";
import type { CreationOptions } from "../passkeys/options.ts";
import { lives } from "../sessions/lives.ts";
import type { NewWay, NewWays } from "./new-way.ts";

const recoveryData = z.object({ userId: z.int() });

/** The last recovery of an account: who made the link, and when it was used. */
export const recoveryNote = z.object({ by: z.int().nullable(), madeAt: z.int(), usedAt: z.int() });

interface RecoveryDeps extends AuthDeps {
  readonly newWays: NewWays;
}

/** How an account is recovered. */
interface Recovery extends NewWay {
  readonly secret: string;
  /** The ids of the passkeys that stay. All others are removed, because a stranger may have added them. */
  readonly keepPasskeys: readonly string[];
  /** The issuers of the identities that stay. */
  readonly keepIdentities: readonly string[];
}

const remaining = ({ passkeys, identities }: Account, { keepPasskeys, keepIdentities }: Recovery) => ({
  passkeys: passkeys.filter(({ credentialId }) => keepPasskeys.includes(credentialId)),
  identities: identities.filter(({ issuer }) => keepIdentities.includes(issuer)),
});

async function accountOf({ storage }: AuthDeps, userId: number): Promise<Account> {
  const account = await storage.accounts.findAccount({ userId });
  if (account === null) throw new TelexError("user_not_found");
  return account;
}

/** Announces in each room of a person that a link of an admin lets them in again. The notice comes first: an admin must not act as another person unnoticed. */
async function announce({ telex, storage }: AuthDeps, userId: number, { makerId }: LinkRecord): Promise<void> {
  if (makerId === null || makerId === userId) return;
  for (const groupId of await storage.groups.listGroupsOf(userId))
    await telex.announce({ kind: "recovered", groupId, userId: makerId });
}

/** Links with which a person who has lost their password gets in again. */
export function createRecovery(deps: RecoveryDeps) {
  const { telex, storage, newWays } = deps;
  const useOf = (secret: string) => ({ digest: readLink(secret), kind: "recovery", now: telex.clock.now() }) as const;
  const find = async (secret: string) => {
    const link = await storage.accounts.findLink(useOf(secret));
    if (link === null) throw new TelexError("link_ended");
    const { userId } = recoveryData.parse(JSON.parse(link.data));
    const account = await storage.accounts.findAccount({ userId });
    // A person who has become an admin since then gets the account back only from the operator.
    if (account === null || (link.makerId !== null && account.role === "admin")) throw new TelexError("link_ended");
    return { link, account };
  };
  return {
    /**
     * Makes a link; the earlier one of the account ends. An unused link changes nothing.
     * @param makerId the admin; null for the operator, who alone may do it for an admin
     * @param life milliseconds until it ends
     * @throws TelexError `user_not_found`, `not_allowed`, `quota_exceeded`
     */
    async make(makerId: number | null, userId: number, life: number = lives.recovery): Promise<MadeLink> {
      const { role } = await accountOf(deps, userId);
      if (makerId !== null && role === "admin") throw new TelexError("not_allowed");
      const link = { kind: "recovery", page: "/user/recover", makerId, life } as const;
      return await makeLink(deps, { ...link, data: { userId }, slot: `recovery ${userId}` });
    },
    /** The account that a link recovers. Uses nothing. Throws `link_ended`. */
    find: async (secret: string): Promise<Account> => (await find(secret)).account,
    /** Options for a passkey with which an account is recovered. Throws `link_ended`, `not_supported`. */
    async passkeyOptions(secret: string): Promise<CreationOptions> {
      const { account } = await find(secret);
      return await newWays.options({ use: "recover", secret }, account);
    },
    /**
     * Replaces the ways to sign in with a new password or passkey and those that are kept, and ends sessions, tokens and grants.
     * @throws TelexError `link_ended`, `weak_password`, `invalid_request`, `not_supported`, `busy`
     */
    async recover(recovery: Recovery): Promise<Account> {
      const { secret } = recovery;
      const { link, account } = await find(secret);
      const { username } = account;
      const { passwordHash, passkeys } = await newWays.accept(recovery, { use: "recover", username, secret });
      const ways = remaining(account, recovery);
      await announce(deps, account.userId, link);
      const now = telex.clock.now();
      const note: z.output<typeof recoveryNote> = { by: link.makerId, madeAt: link.createdAt, usedAt: now };
      const amended = await storage.accounts.amendAccount({
        userId: account.userId,
        rev: account.rev,
        change: { ...ways, passwordHash, passkeys: [...ways.passkeys, ...passkeys], recovery: JSON.stringify(note) },
        link: useOf(secret),
        endSessions: { except: null },
        endAccess: now,
      });
      if (amended.outcome === "amended") return amended.account;
      if (amended.outcome === "passkey_taken") throw new TelexError("invalid_request", { reason: "passkey_taken" });
      throw new TelexError(amended.outcome === "stale" ? "busy" : "link_ended");
    },
  };
}
