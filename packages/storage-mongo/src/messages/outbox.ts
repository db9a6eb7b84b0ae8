import type {
  MessageAppend,
  MessageOutboxStore,
  MessageRecord,
  OutboxRecord,
  SendClaim,
  SendClaimed,
  SendEnd,
  SendRoom,
} from "@telex/core/storage";
import type { StoreDeps } from "../stores/deps.ts";
import { collectionOf, plain, recordOrNull, recordsOf, roomRoot } from "../driver/collections.ts";
import { type Documents, idFor, recordOf } from "../driver/documents.ts";
import { touchHead } from "./heads.ts";
import { touchRoot } from "../stores/quotas.ts";
import { oneText } from "../driver/schema.ts";
import type { Tx } from "../driver/transaction.ts";

type OutboxDocument = Documents["outbox"];

/** The message stored under the nonce of a claim: null without one, or `conflict` if its content differs. */
async function findStored(tx: Tx, claimed: SendClaim): Promise<MessageRecord | "conflict" | null> {
  const { groupId, userId, nonce, at } = claimed;
  if (nonce === null) return null;
  const first = await tx.find("messageNonces", idFor([groupId, userId, false, nonce.value]));
  if (first === null || at - first.at >= nonce.life) return null;
  if (first.fingerprint !== nonce.fingerprint) return "conflict";
  const message = await tx.find("messages", idFor([groupId, first.seq]));
  return message === null ? null : recordOf("messages", message);
}

/** The message in the outbox that has the nonce of a claim. */
async function findSame(tx: Tx, { groupId, userId, nonce }: SendClaim): Promise<OutboxDocument | null> {
  if (nonce === null) return null;
  return (await tx.list("outbox", { groupId, userId, nonce: oneText(nonce.value) }, { limit: 1 }))[0] ?? null;
}

/** The result of a claim if a message of the outbox has the same nonce, or null. */
function refusalOf(same: OutboxRecord | null, { nonce }: SendClaim): SendClaimed | null {
  // A failed message has no nonce.
  if (same === null || same.state === "failed") return null;
  if (same.fingerprint !== nonce?.fingerprint) return { outcome: "nonce_conflict" };
  return { outcome: same.state, first: { account: same.account, id: same.id } };
}

const rowOf = ({ nonce, limit: _limit, activeSince: _activeSince, ...row }: SendClaim): OutboxRecord => ({
  ...row,
  nonce: nonce?.value ?? null,
  fingerprint: nonce?.fingerprint ?? "",
  state: "waiting",
});

/** The messages that count for the limit of an account. */
const countedOf = ({ account, activeSince }: SendClaim) => ({
  account,
  $or: [{ state: "waiting" }, { state: "started", at: { $gte: activeSince } }],
});

/** Writes the account's root and the room's head: other claims of the account and appends of the room conflict. */
async function claim(tx: Tx, claimed: SendClaim): Promise<SendClaimed> {
  await tx.dropAll("outbox", { until: { $lte: claimed.at } });
  const stored = await findStored(tx, claimed);
  if (stored === "conflict") return { outcome: "nonce_conflict" };
  if (stored !== null) return { outcome: "repeated", message: stored };
  const refusal = refusalOf(await findSame(tx, claimed), claimed);
  if (refusal !== null) return refusal;
  const counted = await tx.list("outbox", countedOf(claimed), { limit: claimed.limit });
  if (counted.length >= claimed.limit) return { outcome: "full" };
  await touchRoot(tx, `outbox/${claimed.account}`);
  await touchHead(tx, claimed.groupId);
  tx.put("outbox", plain("outbox", rowOf(claimed)));
  return { outcome: "claimed" };
}

/** Removes a stored message from the outbox, or marks it as `partly` sent if the network has only a part of it. */
export async function settleSent(tx: Tx, sent: MessageAppend["sent"]): Promise<void> {
  const row = sent === null ? null : await tx.find("outbox", sent.id);
  if (sent === null || row === null) return;
  if (sent.isPart) tx.put("outbox", { ...row, state: "partly" });
  else tx.drop("outbox", sent.id);
}

/** The change to a message whose sending has ended. */
const changeOf = (end: SendEnd): Partial<OutboxDocument> =>
  end.outcome === "unknown"
    ? { state: "unknown" }
    : { state: "failed", nonce: null, fingerprint: "", message: end.reason, until: end.until };

type Outbox = ReturnType<typeof collectionOf<"outbox">>;

async function listRooms(outbox: Outbox, now: number): Promise<readonly SendRoom[]> {
  const waiting = { state: "waiting", until: { $gt: now } } as const;
  const rows = await outbox.find(waiting, { projection: { account: 1, groupId: 1 } }).toArray();
  return [...new Map(rows.map(({ account, groupId }) => [`${groupId} ${account}`, { account, groupId }])).values()];
}

/** Messages to be sent to external networks. */
export function createOutboxVerbs({ db, batches: { write, single } }: StoreDeps): MessageOutboxStore {
  const outbox = collectionOf(db, "outbox");
  return {
    claimSend(claimed) {
      const own = structuredClone(claimed);
      return write([`outbox ${own.account}`, roomRoot(own.groupId)], (tx) => claim(tx, own));
    },
    touchSends: ({ ids, now, until }) =>
      single(async () => {
        const waiting = { _id: { $in: [...ids] }, state: "waiting", until: { $gt: now } } as const;
        await outbox.updateMany(waiting, { $max: { until } });
      }),
    startSend: ({ id, now, until }) =>
      single(async () => {
        const started = { state: "started", at: now, until } as const;
        const waiting = { _id: id, state: "waiting", until: { $gt: now } } as const;
        return (await outbox.updateOne(waiting, { $set: started })).matchedCount === 1;
      }),
    finishSend(end) {
      const [filter, change] = [{ _id: end.id, state: end.from }, { $set: changeOf(end) }];
      return single(async () => (await outbox.updateOne(filter, change)).matchedCount === 1);
    },
    listSends: ({ ids, now }) =>
      single(async () =>
        recordsOf("outbox", await outbox.find({ _id: { $in: [...ids] }, until: { $gt: now } }).toArray()),
      ),
    findNextSend: ({ account, groupId, now }) =>
      single(async () => {
        const waiting = { account, groupId, state: "waiting", until: { $gt: now } } as const;
        return recordOrNull("outbox", await outbox.findOne(waiting, { sort: { _id: 1 } }));
      }),
    listWaitingRooms: ({ now }) => single(() => listRooms(outbox, now)),
    listStartedSends: ({ account, groupId, now }) =>
      single(async () => {
        const started = { account, groupId, state: { $in: ["started", "unknown"] }, until: { $gt: now } } as const;
        return recordsOf("outbox", await outbox.find(started, { sort: { at: 1 } }).toArray());
      }),
  };
}
