import { TelexError } from "@telex/ground/errors";
import type { AccountStore } from "../accounts/store.ts";

/** Maximum attempts to change an account that others change simultaneously. */
const attempts = 5;

const noAccount = (): TelexError =>
  new TelexError("invalid_request", { issues: [{ path: "role", problem: "no_account", params: {} }] });

/**
 * Changes the role of an account.
 * @throws TelexError `invalid_request` for a user without an account; `last_admin` unless `force` is set; `busy`
 */
export async function changeRole(
  accounts: Pick<AccountStore, "findAccount" | "amendAccount">,
  userId: number,
  { role, force = false }: { readonly role: "admin" | null; readonly force?: boolean | undefined },
): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const account = await accounts.findAccount({ userId });
    if (account === null) throw noAccount();
    if (account.role === role) return;
    const { outcome } = await accounts.amendAccount({ userId, rev: account.rev, change: { role }, force });
    if (outcome === "amended") return;
    if (outcome === "last_admin") throw new TelexError("last_admin");
  }
  throw new TelexError("busy");
}
