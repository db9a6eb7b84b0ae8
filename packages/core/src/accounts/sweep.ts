import type { Clock } from "@telex/ground/time";
import type { GrantStore } from "./grant-store.ts";
import type { AccountStore } from "./store.ts";

interface SweepDeps {
  readonly accounts: Pick<AccountStore, "sweepAccounts">;
  readonly grants: Pick<GrantStore, "sweepGrants">;
  readonly clock: Clock;
}

/** Rows of a kind that are deleted in one step, so that other writes can run in between. */
const batch = 200;

/** Deletes sessions, links, grants and artifacts that have ended. Two simultaneous sweeps do no harm. */
export async function sweepAccounts({ accounts, grants, clock }: SweepDeps): Promise<void> {
  const page = { now: clock.now(), limit: batch };
  while ((await accounts.sweepAccounts(page)) > 0);
  while ((await grants.sweepGrants(page)) > 0);
}
