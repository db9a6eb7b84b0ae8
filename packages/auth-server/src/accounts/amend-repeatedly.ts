import { TelexError } from "@telex/core";
import type { Account, AccountAmendment } from "@telex/core/storage";
import type { AuthDeps } from "../options.ts";

type Change = Omit<AccountAmendment, "userId" | "rev">;

/** Attempts to change an account that others change simultaneously. */
const attempts = 5;

/** Throws for an outcome that another attempt would have, too. */
function assertRepeatable(outcome: string): void {
  if (outcome === "last_admin") throw new TelexError("last_admin");
  if (outcome === "passkey_taken") throw new TelexError("invalid_request", { reason: "passkey_taken" });
}

/**
 * Changes an account that others may change simultaneously.
 * @param change looks at the account of each attempt, and may refuse by throwing; null leaves the account as it is
 * @throws TelexError `user_not_found`, `last_admin`, `busy`
 */
export async function amendRepeatedly(
  { storage }: Pick<AuthDeps, "storage">,
  userId: number,
  change: (account: Account) => Change | null,
): Promise<Account> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const account = await storage.accounts.findAccount({ userId });
    if (account === null) throw new TelexError("user_not_found");
    const amendment = change(account);
    if (amendment === null) return account;
    const amended = await storage.accounts.amendAccount({ userId, rev: account.rev, ...amendment });
    if (amended.outcome === "amended") return amended.account;
    assertRepeatable(amended.outcome);
  }
  throw new TelexError("busy");
}
