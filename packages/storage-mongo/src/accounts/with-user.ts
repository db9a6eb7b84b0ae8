import { emptiedAccount } from "@telex/core/storage";
import { putAccount, findAccount } from "./account-documents.ts";
import { endGrantsOf } from "./grant-documents.ts";
import { endSessions } from "./session-documents.ts";
import { recordOf } from "../driver/documents.ts";
import type { Tx } from "../driver/transaction.ts";

/**
 * True if the user is the only active admin. Verbs that remove an admin write the feed, so two simultaneous ones conflict.
 */
export async function isLastAdmin(tx: Tx, userId: number): Promise<boolean> {
  const admins = await tx.list("accounts", { role: "admin" });
  await tx.load(admins.map(({ userId: id }) => ({ name: "users", id })));
  const active: number[] = [];
  for (const { userId: id } of admins) {
    const user = await tx.find("users", id);
    if (user !== null && !recordOf("users", user).suspended) active.push(id);
  }
  return active.length === 1 && active[0] === userId;
}

/** Changes the account of a user who was suspended, or whose suspension has ended. */
export async function suspendAccount(tx: Tx, userId: number, suspended: boolean): Promise<void> {
  const document = await tx.find("accounts", userId);
  if (document !== null) tx.put("accounts", { ...document, rev: document.rev + 1 });
  if (!suspended) return;
  await endSessions(tx, userId, null);
  await tx.dropAll("links", { makerId: userId });
}

/** Empties the account of a deleted user: only the username stays. */
export async function removeAccount(tx: Tx, userId: number, now: number): Promise<void> {
  await endSessions(tx, userId, null);
  await endGrantsOf(tx, { userId });
  await tx.dropAll("links", { makerId: userId });
  const before = await findAccount(tx, userId);
  if (before === null) return;
  const { account } = before;
  await putAccount(tx, { ...account, ...emptiedAccount, removedAt: now, rev: account.rev + 1 }, before);
}
