import type { UserChange, UserRecord, UserStore } from "@telex/core/storage";
import { isLastAdmin, removeAccount, suspendAccount } from "./with-user.ts";
import { recordOf } from "../driver/documents.ts";
import type { StoreDeps } from "../stores/deps.ts";
import { collectionOf, feedRoot, plain, recordOrNull, recordsOf } from "../driver/collections.ts";
import { oneText } from "../driver/schema.ts";
import type { Tx } from "../driver/transaction.ts";

/** True if another user has this ID of the external network. */
async function isTaken(tx: Tx, ext: string | null, userId: number): Promise<boolean> {
  if (ext === null) return false;
  const [holder] = await tx.list("users", { ext: oneText(ext) }, { limit: 1 });
  return holder !== undefined && holder.userId !== userId;
}

async function amend(tx: Tx, userId: number, change: UserChange): ReturnType<UserStore["amendUser"]> {
  const before = await tx.find("users", userId);
  if (before === null) return { outcome: "missing" };
  const document = { ...before, ...change };
  if (change.ext !== undefined && (await isTaken(tx, document.ext, userId))) return { outcome: "ext_taken" };
  tx.put("users", document);
  tx.report("user", userId);
  return { outcome: "amended", user: recordOf("users", document) };
}

async function suspend(
  tx: Tx,
  userId: number,
  { suspended, force = false }: Parameters<UserStore["suspendUser"]>[1],
): ReturnType<UserStore["suspendUser"]> {
  const before = await tx.find("users", userId);
  if (before === null) return { outcome: "missing" };
  if (suspended && !force && (await isLastAdmin(tx, userId))) return { outcome: "last_admin" };
  const document = { ...before, suspended };
  tx.put("users", document);
  await suspendAccount(tx, userId, suspended);
  tx.report("user", userId);
  return { outcome: "amended", user: recordOf("users", document) };
}

/** People. */
export function createUserStore({ db, batches, ids }: StoreDeps): UserStore {
  const users = collectionOf(db, "users");
  const { write, single } = batches;
  return {
    appendUser({ ...fields }) {
      return write(feedRoot, async (tx) => {
        if (await isTaken(tx, fields.ext, 0)) return { outcome: "ext_taken" };
        const user: UserRecord = { userId: await ids.count(tx, "user"), ...fields };
        tx.add("users", plain("users", user));
        return { outcome: "appended", user };
      });
    },
    findUser: (userId) => single(async () => recordOrNull("users", await users.findOne({ _id: userId }))),
    findUsers: (userIds) =>
      single(async () => recordsOf("users", await users.find({ _id: { $in: [...userIds] } }).toArray())),
    findUserByExt: (ext) => single(async () => recordOrNull("users", await users.findOne({ ext: oneText(ext) }))),
    listUsers: ({ after, limit }) =>
      single(async () =>
        recordsOf("users", await users.find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit }).toArray()),
      ),
    listOneBots: () =>
      single(async () =>
        recordsOf("users", await users.find({ oneBot: { $type: "string" } }, { sort: { _id: 1 } }).toArray()),
      ),
    listModels: () =>
      single(async () =>
        recordsOf("users", await users.find({ ai: { $type: "string" } }, { sort: { _id: 1 } }).toArray()),
      ),
    amendUser(userId, { ...change }) {
      return write(feedRoot, (tx) => amend(tx, userId, change));
    },
    suspendUser: (userId, { ...suspension }) => write(feedRoot, (tx) => suspend(tx, userId, suspension)),
    dropUser: (userId, now) =>
      write(feedRoot, async (tx) => {
        if ((await tx.find("users", userId)) === null) return false;
        await removeAccount(tx, userId, now);
        tx.drop("users", userId);
        tx.report("user", userId);
        return true;
      }),
  };
}
