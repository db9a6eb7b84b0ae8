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
import type { Verb } from "../engine/gate.ts";
import type { Table } from "../engine/tables.ts";

/** Messages to be sent to external networks, by id. */
export interface Outbox {
  readonly rows: Map<string, OutboxRecord>;
  readonly table: Table<OutboxRecord>;
}

/** The message stored under the nonce of a claim: null without one, or `conflict` if its content differs. */
type FindStored = (claim: SendClaim) => MessageRecord | "conflict" | null;

export function createOutbox(): Outbox {
  const rows = new Map<string, OutboxRecord>();
  return { rows, table: { all: () => rows.values(), put: (row) => void rows.set(row.id, { ...row }) } };
}

/** The message in the outbox that has the nonce of a claim. */
const findSame = ({ rows }: Outbox, { groupId, userId, nonce }: SendClaim): OutboxRecord | undefined =>
  nonce === null
    ? undefined
    : rows.values().find((row) => row.groupId === groupId && row.userId === userId && row.nonce === nonce.value);

/** The result of a claim if a message of the outbox has the same nonce, or null. */
function refusalOf(same: OutboxRecord | undefined, { nonce }: SendClaim): SendClaimed | null {
  // A failed message has no nonce.
  if (same === undefined || same.state === "failed") return null;
  if (same.fingerprint !== nonce?.fingerprint) return { outcome: "nonce_conflict" };
  return { outcome: same.state, first: { account: same.account, id: same.id } };
}

const rowOf = ({ nonce, limit: _limit, activeSince: _activeSince, ...row }: SendClaim): OutboxRecord => ({
  ...row,
  nonce: nonce?.value ?? null,
  fingerprint: nonce?.fingerprint ?? "",
  state: "waiting",
});

const isCounted = ({ account, state, at }: OutboxRecord, claimed: SendClaim): boolean =>
  account === claimed.account && (state === "waiting" || (state === "started" && at >= claimed.activeSince));

function claim(outbox: Outbox, claimed: SendClaim, findStored: FindStored): SendClaimed {
  const { rows } = outbox;
  for (const { id, until } of rows.values()) if (until <= claimed.at) rows.delete(id);
  const stored = findStored(claimed);
  if (stored !== null)
    return stored === "conflict" ? { outcome: "nonce_conflict" } : { outcome: "repeated", message: stored };
  const refusal = refusalOf(findSame(outbox, claimed), claimed);
  if (refusal !== null) return refusal;
  const counted = Array.from(rows.values()).filter((row) => isCounted(row, claimed));
  if (counted.length >= claimed.limit) return { outcome: "full" };
  rows.set(claimed.id, rowOf(claimed));
  return { outcome: "claimed" };
}

function touch({ rows }: Outbox, { ids, now, until }: Parameters<MessageOutboxStore["touchSends"]>[0]): void {
  for (const id of ids) {
    const row = rows.get(id);
    if (row?.state === "waiting" && row.until > now) rows.set(id, { ...row, until: Math.max(row.until, until) });
  }
}

function finish({ rows }: Outbox, end: SendEnd): boolean {
  const row = rows.get(end.id);
  if (row?.state !== end.from) return false;
  const failed = end.outcome === "failed" && { nonce: null, fingerprint: "", message: end.reason, until: end.until };
  rows.set(end.id, { ...row, ...failed, state: end.outcome });
  return true;
}

const waitingAt = ({ rows }: Outbox, now: number): OutboxRecord[] =>
  Array.from(rows.values()).filter(({ state, until }) => state === "waiting" && until > now);

const roomsOf = (rows: readonly OutboxRecord[]): readonly SendRoom[] => [
  ...new Map(rows.map(({ account, groupId }) => [`${groupId} ${account}`, { account, groupId }])).values(),
];

export const outboxVerbs = (verb: Verb, outbox: Outbox, findStored: FindStored): MessageOutboxStore => ({
  claimSend: verb((claimed) => claim(outbox, claimed, findStored)),
  touchSends: verb((touched) => touch(outbox, touched)),
  startSend: verb(({ id, now, until }) => {
    const row = outbox.rows.get(id);
    const isWaiting = row?.state === "waiting" && row.until > now;
    if (isWaiting) outbox.rows.set(id, { ...row, state: "started", at: now, until });
    return isWaiting;
  }),
  finishSend: verb((end) => finish(outbox, end)),
  listSends: verb(({ ids, now }) =>
    ids.flatMap((id) => outbox.rows.get(id) ?? []).flatMap((row) => (row.until > now ? [{ ...row }] : [])),
  ),
  findNextSend: verb(({ account, groupId, now }) => {
    const rows = waitingAt(outbox, now).filter((row) => row.account === account && row.groupId === groupId);
    return rows.reduce<OutboxRecord | null>((least, row) => (least === null || row.id < least.id ? row : least), null);
  }),
  listWaitingRooms: verb(({ now }) => roomsOf(waitingAt(outbox, now))),
  listStartedSends: verb(({ account, groupId, now }) =>
    Array.from(outbox.rows.values())
      .filter((row) => row.account === account && row.groupId === groupId)
      .filter(({ state, until }) => (state === "started" || state === "unknown") && until > now)
      .toSorted((a, b) => a.at - b.at),
  ),
});

/** Removes a stored message from the outbox, or marks it as `partly` sent if the network has only a part of it. */
export function settleSent({ rows }: Outbox, sent: MessageAppend["sent"]): void {
  if (sent === null) return;
  const row = rows.get(sent.id);
  if (!sent.isPart) rows.delete(sent.id);
  else if (row !== undefined) rows.set(sent.id, { ...row, state: "partly" });
}
