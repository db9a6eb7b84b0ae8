import type { Operator, TokenHolder } from "@telex/ground/contract";
import { TelexError } from "@telex/ground/errors";
import type { UserRecord } from "../records/users.ts";
import type { UserView } from "./contract.ts";
import type { UserStore } from "./store.ts";

/**
 * Only the operator may leave the installation without an active admin.
 * @throws TelexError `insufficient_scope`
 */
export function assertMayForce(caller: Operator | TokenHolder, force: boolean | undefined): void {
  if (caller.kind === "operator" || force !== true) return;
  throw new TelexError("insufficient_scope", { reason: "force_reserved" });
}

/**
 * Refuses a field that is changed by a verb of its own together with other fields: of two verbs, the second one can fail.
 * @throws TelexError `invalid_request`
 */
export function assertAlone(field: string, others: Readonly<Record<string, unknown>>): void {
  if (Object.values(others).every((value) => value === undefined)) return;
  throw new TelexError("invalid_request", { issues: [{ path: field, problem: "not_alone", params: {} }] });
}

/**
 * Suspends or resumes a user.
 * @throws TelexError `user_not_found`; `last_admin` unless `force` is set
 */
export async function changeState(
  users: Pick<UserStore, "suspendUser">,
  userId: number,
  { state, force = false }: { readonly state: UserView["state"]; readonly force?: boolean | undefined },
): Promise<UserRecord> {
  const changed = await users.suspendUser(userId, { suspended: state === "suspended", force });
  if (changed.outcome === "missing") throw new TelexError("user_not_found");
  if (changed.outcome === "last_admin") throw new TelexError("last_admin");
  return changed.user;
}
