import type {
  MessageAppend,
  MessageOutboxStore,
  MessageRecord,
  OutboxRecord,
  SendClaim,
  SendClaimed,
} from "@telex/core/storage";
import type { Verb } from "../engine/gate.ts";
import type { Table } from "../engine/tables.ts";

/** Messages on their way to external networks, by id. */
export interface Outbox {
  readonly rows: Map<string, OutboxRecord>;
  readonly table: Table<OutboxRecord>;
}

/** The message that is stored under the nonce of a claim: null if there is none, or `conflict` if its content is another. */
type FindStored = (claim: SendClaim) => MessageRecord | "conflict" | null;

/** Nothing is on its way. */
export function createOutbox(): Outbox {
  const rows = new Map<string, OutboxRecord>();
  return { rows, table: { all: () => rows.values(), put: (row) => void rows.set(row.id, { ...row }) } };
}

/** The message in the outbox that has the nonce of a claim. */
const findSame = ({ rows }: Outbox, { groupId, userId, nonce }: SendClaim): OutboxRecord | undefined =>
  nonce === null
    ? undefined
    : Array.from(rows.values()).find(
        (row) => row.groupId === groupId && row.userId === userId && row.nonce === nonce.value,
      );

/** What stands against a claim besides a stored message, or null. */
function refusalOf(same: OutboxRecord | undefined, { nonce }: SendClaim): SendClaimed | null {
  if (same === undefined) return null;
  if (same.fingerprint !== nonce?.fingerprint) return { outcome: "nonce_conflict" };
  return { outcome: same.state, first: { account: same.account, id: same.id } };
}

const rowOf = ({ nonce, limit: _limit, activeSince: _activeSince, ...row }: SendClaim): OutboxRecord => ({
  ...row,
  nonce: nonce?.value ?? null,
  fingerprint: nonce?.fingerprint ?? "",
  state: "waiting",
});

const isCounted = ({ account, state, at }: OutboxRecord, asked: SendClaim): boolean =>
  account === asked.account && (state === "waiting" || (state === "started" && at >= asked.activeSince));

function claim(outbox: Outbox, asked: SendClaim, findStored: FindStored): SendClaimed {
  const { rows } = outbox;
  for (const { id, until } of rows.values()) if (until <= asked.at) rows.delete(id);
  const stored = findStored(asked);
  if (stored !== null) {
    return stored === "conflict" ? { outcome: "nonce_conflict" } : { outcome: "repeated", message: stored };
  }
  const refusal = refusalOf(findSame(outbox, asked), asked);
  if (refusal !== null) return refusal;
  const counted = Array.from(rows.values()).filter((row) => isCounted(row, asked));
  if (counted.length >= asked.limit) return { outcome: "full" };
  rows.set(asked.id, rowOf(asked));
  return { outcome: "claimed" };
}

/** The verbs of the outbox. */
export const outboxVerbs = (verb: Verb, outbox: Outbox, findStored: FindStored): MessageOutboxStore => ({
  claimSend: verb((asked) => claim(outbox, asked, findStored)),
  startSend: verb(({ id, now, until }) => {
    const row = outbox.rows.get(id);
    const isWaiting = row?.state === "waiting" && row.until > now;
    if (isWaiting) outbox.rows.set(id, { ...row, state: "started", at: now, until });
    return isWaiting;
  }),
  dropSend: verb(({ id }) => void outbox.rows.delete(id)),
  cancelSend: verb(({ id }) => outbox.rows.get(id)?.state === "waiting" && outbox.rows.delete(id)),
  findSend: verb(({ id, now }) => {
    const row = outbox.rows.get(id);
    return row !== undefined && row.until > now ? { ...row } : null;
  }),
  listStartedSends: verb(({ account, groupId, now }) =>
    Array.from(outbox.rows.values())
      .filter((row) => row.account === account && row.groupId === groupId)
      .filter(({ state, until }) => state === "started" && until > now)
      .toSorted((a, b) => a.at - b.at),
  ),
});

/** A message was stored: it leaves the outbox, or the rest of it stays. */
export function settleSent({ rows }: Outbox, sent: MessageAppend["sent"]): void {
  if (sent === null) return;
  const row = rows.get(sent.id);
  if (!sent.isPart) rows.delete(sent.id);
  else if (row !== undefined) rows.set(sent.id, { ...row, state: "partly" });
}
