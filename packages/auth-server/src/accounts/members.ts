import { TelexError } from "@telex/core";
import type { Account, SessionRecord } from "@telex/core/storage";
import type { PasswordHasher } from "../credentials/hashing.ts";
import { acceptPassword } from "../credentials/passwords.ts";
import type { AuthDeps } from "../options.ts";
import { amendRepeatedly } from "./amend-repeatedly.ts";
import { removeIdentity } from "./identities.ts";
import { newAccount } from "./new-account.ts";

/** An account that the operator opens for a user who has none. */
interface NewMember {
  /** The id of the user, or the nickname of a new user. */
  readonly user: number | { readonly nickname: string };
  readonly username: string;
  /** Null for an account that is opened with a link. */
  readonly password: string | null;
  readonly role: "admin" | null;
}

interface MembersDeps extends AuthDeps {
  readonly hasher: PasswordHasher;
}

const conflicts = { missing: "user_not_found", username_taken: "username_taken", exists: "username_taken" } as const;

/** Changes that admins and the operator make to the accounts of others. */
export function createMembers(deps: MembersDeps) {
  const { telex, storage, hasher } = deps;
  const { accounts } = storage;
  const hashOf = async (password: string, username: string): Promise<string> =>
    await hasher.hash(await acceptPassword(password, { username, baseUrl: deps.baseUrl() }));
  const find = async (userId: number): Promise<Account> => {
    const account = await accounts.findAccount({ userId });
    if (account === null) throw new TelexError("user_not_found");
    return account;
  };
  return {
    /** The account of a user. Throws `user_not_found` for a user without an account. */
    find,
    /** Opens an account. Throws `user_not_found`, `username_taken`, `weak_password`, `invalid_request`. */
    async open({ user, username, password, role }: NewMember): Promise<Account> {
      const passwordHash = password === null ? null : await hashOf(password, username);
      const nickname = typeof user === "number" ? undefined : user.nickname;
      const creation = newAccount({ username, nickname }, telex.clock.now(), { passwordHash, passkeys: [], role });
      const created = await accounts.createAccount({ ...creation, ...(typeof user === "number" && { user }) });
      if (created.outcome === "created") return created.account;
      const { outcome } = created;
      if (outcome === "missing" || outcome === "username_taken" || outcome === "exists")
        throw new TelexError(conflicts[outcome]);
      throw new TypeError(`A new account was refused with ${outcome}.`);
    },
    /** Sets a password, and ends the sessions. Only in the shell: an admin must not become another person unnoticed. */
    async setPassword(userId: number, password: string): Promise<Account> {
      const { username } = await find(userId);
      const passwordHash = await hashOf(password, username);
      return await amendRepeatedly(deps, userId, () => ({ change: { passwordHash }, endSessions: { except: null } }));
    },
    /** Removes the identity of an issuer. Throws `user_not_found`, `not_found`, `last_way`, `busy`. */
    unlink: async (userId: number, issuer: string): Promise<void> => await removeIdentity(deps, userId, issuer),
    /** The sessions of a user, the last used first. Throws `user_not_found`. */
    async sessions(userId: number): Promise<readonly SessionRecord[]> {
      await find(userId);
      return await accounts.listSessions(userId, telex.clock.now());
    },
    /** Ends one session, or all with null, and returns how many. Throws `user_not_found`, and `not_found` for an unknown id. */
    async endSessions(userId: number, sessionId: string | null): Promise<number> {
      await find(userId);
      if (sessionId === null) return await accounts.endSessions(userId, null);
      if (!(await accounts.endSession({ sessionId, userId }))) throw new TelexError("not_found");
      return 1;
    },
  };
}
