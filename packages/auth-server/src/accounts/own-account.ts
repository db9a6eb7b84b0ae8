import { operator, TelexError } from "@telex/core";
import type { CallRequest } from "@telex/core/contract";
import type { Account, AccountAmendment } from "@telex/core/storage";
import { acceptPassword } from "../credentials/passwords.ts";
import type { PasswordHasher } from "../credentials/hashing.ts";
import type { AuthDeps } from "../options.ts";
import type { UsedPasskey } from "../passkeys/responses.ts";
import { lives } from "../sessions/lives.ts";
import type { Current } from "../sessions/sessions.ts";
import { keyOfUsername } from "./new-account.ts";
import type { Passkeys } from "./passkeys.ts";
import type { createSignIn } from "./sign-in.ts";
import { hasWay } from "./ways.ts";

interface OwnAccountDeps extends AuthDeps {
  readonly hasher: PasswordHasher;
  readonly signIn: Pick<ReturnType<typeof createSignIn>, "confirm">;
  readonly passkeys: Pick<Passkeys, "confirm">;
}

/** The password or the passkey that a person shows. */
interface Proof {
  readonly password?: string | undefined;
  readonly passkey?: UsedPasskey | undefined;
}

interface Changes {
  readonly username?: string | undefined;
  readonly nickname?: string | undefined;
  readonly showRead?: boolean | undefined;
  readonly notify?: "all" | "mentions" | "none" | undefined;
}

async function amend({ storage }: AuthDeps, amendment: AccountAmendment): Promise<Account> {
  const amended = await storage.accounts.amendAccount(amendment);
  if (amended.outcome === "amended") return amended.account;
  if (amended.outcome === "username_taken" || amended.outcome === "last_admin") throw new TelexError(amended.outcome);
  if (amended.outcome === "missing") throw new TelexError("user_not_found");
  throw new TelexError("busy");
}

const fieldsOf = ({ username, showRead, notify }: Changes) => ({
  ...(username !== undefined && { username, usernameKey: keyOfUsername(username) }),
  ...(showRead !== undefined && { showRead }),
  ...(notify !== undefined && { notify }),
});

/** The operations of people on their own account. */
export function createOwnAccount(deps: OwnAccountDeps) {
  const { telex, storage, hasher, signIn, passkeys } = deps;
  /** Asks for the password unless the person has shown it within 10 minutes. */
  const assertConfirmed = async ({ account, session }: Current, password: string | undefined, request: CallRequest) => {
    if (password !== undefined) return await signIn.confirm(account, password, request);
    if (telex.clock.now() - session.confirmedAt >= lives.confirmation) throw new TelexError("not_confirmed");
  };
  const prove = async (current: Current, { password, passkey }: Proof, request: CallRequest): Promise<void> => {
    if (passkey !== undefined && password === undefined) await passkeys.confirm(current, passkey, request);
    else if (password !== undefined && passkey === undefined) await signIn.confirm(current.account, password, request);
    else throw new TelexError("invalid_request", { reason: "one_way" });
  };
  return {
    assertConfirmed,
    /**
     * Notes that a person has shown their password or a passkey.
     * @throws TelexError `not_confirmed`, `rate_limited`, `busy`; `invalid_request` without one of them, and for a passkey that is not accepted
     */
    async confirm(current: Current, proof: Proof, request: CallRequest): Promise<void> {
      await prove(current, proof, request);
      await storage.accounts.confirmSession({ ...current.session, confirmedAt: telex.clock.now() });
    },
    /** Changes the given fields. Throws `username_taken`, `invalid_request`, `busy`. */
    async change({ account: { userId, rev } }: Current, changes: Changes): Promise<Account> {
      const account = await amend(deps, { userId, rev, change: fieldsOf(changes) });
      const { nickname } = changes;
      if (nickname !== undefined) await telex.operator.users.amend(operator, { id: userId, nickname });
      return account;
    },
    /** Sets the password, and ends the other sessions; tokens stay. */
    async setPassword(current: Current, password: string): Promise<Account> {
      const { account, session } = current;
      const passwordHash = await hasher.hash(
        await acceptPassword(password, { username: account.username, baseUrl: deps.baseUrl() }),
      );
      const endSessions = { except: session.sessionId };
      return await amend(deps, { userId: account.userId, rev: account.rev, change: { passwordHash }, endSessions });
    },
    /**
     * Deletes the user with the account: sessions, tokens, devices and conversations end, and messages stay.
     * @throws TelexError `last_admin`
     */
    async remove({ account: { userId } }: Current): Promise<void> {
      await telex.operator.users.remove(operator, { id: userId });
    },
    /** Removes the password. Throws `last_way` if the account has no other way to sign in. */
    async removePassword({ account }: Current): Promise<Account> {
      if (!hasWay(deps, { ...account, passwordHash: null })) throw new TelexError("last_way");
      return await amend(deps, { userId: account.userId, rev: account.rev, change: { passwordHash: null } });
    },
  };
}
