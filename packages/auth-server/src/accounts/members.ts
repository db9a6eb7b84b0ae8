import { TelexError } from "@telex/core";
import type { Account } from "@telex/core/storage";
import type { AuthDeps } from "../options.ts";

/** What an admin changes of another account. */
interface MemberChange {
  readonly role?: "admin" | null | undefined;
  /** Also for the last admin: the operator only. */
  readonly force?: boolean;
}

async function changeRole(
  { storage }: AuthDeps,
  userId: number,
  role: "admin" | null,
  force: boolean,
): Promise<Account> {
  const account = await storage.accounts.findAccount({ userId });
  if (account === null) throw new TelexError("user_not_found");
  if (account.role === role) return account;
  const amended = await storage.accounts.amendAccount({ userId, rev: account.rev, change: { role }, force });
  if (amended.outcome === "amended") return amended.account;
  if (amended.outcome === "last_admin") throw new TelexError("last_admin");
  throw new TelexError(amended.outcome === "missing" ? "user_not_found" : "busy");
}

/** What admins do with the accounts of others. */
export function createMembers(deps: AuthDeps) {
  return {
    /** Changes the role. Throws `user_not_found`, `last_admin`, `busy`. */
    async change(userId: number, { role, force = false }: MemberChange): Promise<void> {
      if (role !== undefined) await changeRole(deps, userId, role, force);
    },
  };
}
