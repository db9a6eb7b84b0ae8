import type { Tx } from "../driver/transaction.ts";

/** Ends the sessions of a user except one, reports each, and returns how many. */
export async function endSessions(tx: Tx, userId: number, except: string | null): Promise<number> {
  const ended = (await tx.list("signIns", { userId })).filter(({ _id }) => _id !== except);
  for (const { _id } of ended) {
    tx.drop("signIns", _id);
    tx.report("session", _id);
  }
  return ended.length;
}
