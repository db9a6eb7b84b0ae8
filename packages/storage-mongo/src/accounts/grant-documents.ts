import type { GrantsKey } from "@telex/core/storage";
import type { Tx } from "../driver/transaction.ts";

/** Ends a grant with its artifacts, and reports it. */
export async function endGrant(tx: Tx, grantId: string): Promise<void> {
  tx.drop("grants", grantId);
  await tx.dropAll("artifacts", { grantId });
  tx.report("grant", grantId);
}

/** Ends grants of a user or of an application, at most `limit`, and returns how many. */
export async function endGrantsOf(tx: Tx, key: GrantsKey, limit?: number): Promise<number> {
  const filter = "userId" in key ? { userId: key.userId } : { clientId: key.clientId };
  const grants = await tx.list("grants", filter, { sort: { _id: 1 }, ...(limit !== undefined && { limit }) });
  for (const { grantId } of grants) await endGrant(tx, grantId);
  return grants.length;
}
