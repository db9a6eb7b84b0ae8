import type { Account, AccountAmendment, AccountCreation, AccountStore, UserRecord } from "@telex/core/storage";
import { collectionOf, feedRoot, plain } from "../driver/collections.ts";
import type { CollectionName } from "../driver/documents.ts";
import type { Tx } from "../driver/transaction.ts";
import type { StoreDeps } from "../stores/deps.ts";
import { complete, conflictOf, findAccount, putAccount, readAccount, type Stored } from "./account-documents.ts";
import { endGrantsOf } from "./grant-documents.ts";
import { createLinkVerbs, findLink, takeLink } from "./links.ts";
import { endSessions } from "./session-documents.ts";
import { createSessionVerbs } from "./sessions.ts";
import { isLastAdmin } from "./with-user.ts";

const hasAdmin = async (tx: Tx): Promise<boolean> =>
  (await tx.list("accounts", { role: "admin" }, { limit: 1 })).length > 0;

/** The reason why a user cannot get an account, or null. */
async function refusalOf(tx: Tx, { user, isFirstAdmin = false }: AccountCreation) {
  if (isFirstAdmin && (await hasAdmin(tx))) return "admin_exists";
  if (typeof user !== "number") return null;
  if ((await tx.find("users", user)) === null) return "missing";
  return (await tx.find("accounts", user)) === null ? null : "exists";
}

async function addUser(tx: Tx, ids: StoreDeps["ids"], user: Exclude<AccountCreation["user"], number>): Promise<number> {
  const record: UserRecord = { userId: await ids.count(tx, "user"), ...user, ext: null };
  tx.add("users", plain("users", record));
  return record.userId;
}

async function create(
  tx: Tx,
  ids: StoreDeps["ids"],
  creation: AccountCreation,
): ReturnType<AccountStore["createAccount"]> {
  const { user, account: fields, link: use, isTrial = false } = creation;
  const link = use === undefined ? null : await findLink(tx, use);
  if (use !== undefined && link === null) return { outcome: "link_ended" };
  const refusal = await refusalOf(tx, creation);
  if (refusal !== null) return { outcome: refusal };
  const account: Account = { ...fields, userId: typeof user === "number" ? user : 0, removedAt: null, rev: 1 };
  const conflict = await conflictOf(tx, account);
  if (conflict === "username_taken" && link !== null) tx.put("links", { ...link, misses: link.misses + 1 });
  if (conflict !== null) return { outcome: conflict };
  if (isTrial) return { outcome: "free" };
  const own = typeof user === "number" ? account : { ...account, userId: await addUser(tx, ids, user) };
  await putAccount(tx, own, null);
  tx.report("user", own.userId);
  return { outcome: "created", account: own, link: link && takeLink(tx, link) };
}

/** Ends the sessions and access that a change of an account is to end. */
async function endWith(tx: Tx, { userId, endSessions: sessions, endAccess }: AccountAmendment): Promise<void> {
  if (sessions !== undefined) await endSessions(tx, userId, sessions.except);
  if (endAccess === undefined) return;
  const tokens = await tx.list("tokens", { userId, revokedAt: null });
  await tx.patch("tokens", tokens, { revokedAt: endAccess });
  for (const { tokenId } of tokens) tx.report("token", tokenId);
  await endGrantsOf(tx, { userId });
}

/** Writes a changed account, and ends the sessions, access and links that it loses. */
async function putAmended(tx: Tx, amendment: AccountAmendment, before: Stored, account: Account): Promise<void> {
  await putAccount(tx, account, before);
  await endWith(tx, amendment);
  if (before.account.role === account.role) return;
  if (before.account.role === "admin") await tx.dropAll("links", { makerId: account.userId });
  tx.report("user", account.userId);
}

async function amend(tx: Tx, amendment: AccountAmendment): ReturnType<AccountStore["amendAccount"]> {
  const { userId, rev, change, link: use, force = false } = amendment;
  const before = await findAccount(tx, userId);
  if (before === null) return { outcome: "missing" };
  if (before.account.rev !== rev) return { outcome: "stale" };
  const link = use === undefined ? null : await findLink(tx, use);
  if (use !== undefined && link === null) return { outcome: "link_ended" };
  const account: Account = { ...before.account, ...change, rev: rev + 1 };
  const isDemoted = before.account.role === "admin" && account.role !== "admin";
  if (isDemoted && !force && (await isLastAdmin(tx, userId))) return { outcome: "last_admin" };
  const conflict = await conflictOf(tx, account);
  if (conflict !== null) return { outcome: conflict };
  await putAmended(tx, amendment, before, account);
  return { outcome: "amended", account, link: link && takeLink(tx, link) };
}

/** Deletes expired documents, and returns how many. */
async function sweep(
  { db }: Pick<StoreDeps, "db">,
  name: Extract<CollectionName, "signIns" | "links">,
  { now, limit }: Parameters<AccountStore["sweepAccounts"]>[0],
): Promise<number> {
  const collection = collectionOf<"signIns" | "links">(db, name);
  const ended = await collection.find({ until: { $lte: now } }, { limit, projection: { _id: 1 } }).toArray();
  if (ended.length === 0) return 0;
  const filter = { _id: { $in: ended.map(({ _id }) => _id) }, until: { $lte: now } };
  return (await collection.deleteMany(filter)).deletedCount;
}

/** Accounts, sessions, and links. */
export function createAccountStore(deps: StoreDeps): AccountStore {
  const { db, batches, ids } = deps;
  const { write, single } = batches;
  const accounts = collectionOf(db, "accounts");
  return {
    ...createSessionVerbs(deps),
    ...createLinkVerbs(deps),
    createAccount(creation) {
      const own = structuredClone(creation);
      return write(feedRoot, (tx) => create(tx, ids, own));
    },
    amendAccount(amendment) {
      const own = structuredClone(amendment);
      return write(feedRoot, (tx) => amend(tx, own));
    },
    findAccount: (key) => single(() => readAccount(db, key)),
    listAccounts: ({ after, limit }) =>
      single(async () => {
        const filter = { _id: { $gt: after }, removedAt: null };
        const page = await accounts.find(filter, { sort: { _id: 1 }, limit }).toArray();
        return await complete(db, page);
      }),
    findAccounts: (userIds) =>
      single(async () => complete(db, await accounts.find({ _id: { $in: [...userIds] }, removedAt: null }).toArray())),
    hasAdmin: () => single(async () => (await accounts.findOne({ role: "admin" })) !== null),
    sweepAccounts: ({ ...page }) =>
      single(async () => (await sweep(deps, "signIns", page)) + (await sweep(deps, "links", page))),
  };
}
