import type {
  MessageAppend,
  MessageOutboxStore,
  MessageRecord,
  OutboxRecord,
  SendClaim,
  SendClaimed,
} from "@telex/core/storage";
import type { StoreDeps } from "../stores/deps.ts";
import { collectionOf, plain, recordOrNull, recordsOf, roomRoot } from "../driver/collections.ts";
import { type Documents, idFor, recordOf } from "../driver/documents.ts";
import { touchHead } from "./heads.ts";
import { touchRoot } from "../stores/quotas.ts";
import { oneText } from "../driver/schema.ts";
import type { Tx } from "../driver/transaction.ts";

type OutboxDocument = Documents["outbox"];

/** The message that is stored under the nonce of a claim: null if there is none, or `conflict` if its content is another. */
async function findStored(tx: Tx, asked: SendClaim): Promise<MessageRecord | "conflict" | null> {
  const { groupId, userId, nonce, at } = asked;
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

/** What stands against a claim besides a stored message, or null. */
function refusalOf(same: OutboxRecord | null, { nonce }: SendClaim): SendClaimed | null {
  if (same === null) return null;
  if (same.fingerprint !== nonce?.fingerprint) return { outcome: "nonce_conflict" };
  return { outcome: same.state, first: { account: same.account, id: same.id } };
}

const rowOf = ({ nonce, limit: _limit, activeSince: _activeSince, ...row }: SendClaim): OutboxRecord => ({
  ...row,
  nonce: nonce?.value ?? null,
  fingerprint: nonce?.fingerprint ?? "",
  state: "waiting",
});

/** What counts for the limit of an account. */
const countedOf = ({ account, activeSince }: SendClaim) => ({
  account,
  $or: [{ state: "waiting" }, { state: "started", at: { $gte: activeSince } }],
});

/** Writes the account's root and the room's head: other claims of the account and appends of the room conflict. */
async function claim(tx: Tx, asked: SendClaim): Promise<SendClaimed> {
  await tx.dropAll("outbox", { until: { $lte: asked.at } });
  const stored = await findStored(tx, asked);
  if (stored === "conflict") return { outcome: "nonce_conflict" };
  if (stored !== null) return { outcome: "repeated", message: stored };
  const refusal = refusalOf(await findSame(tx, asked), asked);
  if (refusal !== null) return refusal;
  const counted = await tx.list("outbox", countedOf(asked), { limit: asked.limit });
  if (counted.length >= asked.limit) return { outcome: "full" };
  await touchRoot(tx, `outbox/${asked.account}`);
  await touchHead(tx, asked.groupId);
  tx.put("outbox", plain("outbox", rowOf(asked)));
  return { outcome: "claimed" };
}

/** A message was stored: it leaves the outbox, or the rest of it stays. */
export async function settleSent(tx: Tx, sent: MessageAppend["sent"]): Promise<void> {
  const row = sent === null ? null : await tx.find("outbox", sent.id);
  if (sent === null || row === null) return;
  if (sent.isPart) tx.put("outbox", { ...row, state: "partly" });
  else tx.drop("outbox", sent.id);
}

/** Messages on their way to external networks. */
export function createOutboxVerbs({ db, batches: { write, single } }: StoreDeps): MessageOutboxStore {
  const outbox = collectionOf(db, "outbox");
  return {
    claimSend(asked) {
      const own = structuredClone(asked);
      return write([`outbox ${own.account}`, roomRoot(own.groupId)], (tx) => claim(tx, own));
    },
    startSend: ({ id, now, until }) =>
      single(async () => {
        const started = { state: "started", at: now, until } as const;
        const waiting = { _id: id, state: "waiting", until: { $gt: now } } as const;
        return (await outbox.updateOne(waiting, { $set: started })).matchedCount === 1;
      }),
    dropSend: ({ id }) => single(async () => void (await outbox.deleteOne({ _id: id }))),
    cancelSend: ({ id }) =>
      single(async () => (await outbox.deleteOne({ _id: id, state: "waiting" })).deletedCount === 1),
    findSend: ({ id, now }) =>
      single(async () => recordOrNull("outbox", await outbox.findOne({ _id: id, until: { $gt: now } }))),
    listStartedSends: ({ account, groupId, now }) =>
      single(async () => {
        const started = { account, groupId, state: "started", until: { $gt: now } } as const;
        return recordsOf("outbox", await outbox.find(started, { sort: { at: 1 } }).toArray());
      }),
  };
}
