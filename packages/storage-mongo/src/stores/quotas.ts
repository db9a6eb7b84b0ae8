import type { AiStore, DayRange, Settlement, Usage } from "@telex/core/storage";
import { appendTurn, conversationRoot } from "./conversations.ts";
import type { StoreDeps } from "./deps.ts";
import { collectionOf, plain } from "../driver/collections.ts";
import type { Documents } from "../driver/documents.ts";
import type { SettleCall } from "../driver/portable-calls.ts";
import type { Ids } from "../clock/ids.ts";
import { createLedgers, type FindLedger, nothing, sum, within } from "./ledger.ts";
import type { Tx } from "../driver/transaction.ts";

type UsageVerbs = Pick<AiStore, "findAllocation" | "assignAllocation" | "sumUsage" | "listUsage">;
type ShareVerbs = Pick<AiStore, "reserve" | "settle" | "touchReservation" | "settleExpired">;
type Request = Parameters<AiStore["reserve"]>[0];
type Reserved = Awaited<ReturnType<AiStore["reserve"]>>;
type Used = Documents["usage"];

/** The root of a user's quota: every reservation and settlement writes it. */
const quotaOf = (userId: number): string => `ai/${userId}`;

/** Writes a root, so that two transactions that read its documents conflict. */
export async function touchRoot(tx: Tx, root: string): Promise<void> {
  const before = await tx.find("quotas", root);
  tx.put("quotas", { _id: root, rev: (before?.rev ?? 0) + 1 });
}

interface Step {
  readonly tx: Tx;
  readonly ids: Ids;
  readonly ledgerOf: FindLedger;
}

async function reserve(
  { tx, ledgerOf }: Step,
  { reservation, unit, max, maxStarted, days, now, again }: Request,
): ReturnType<AiStore["reserve"]> {
  const { userId, reservationId } = reservation;
  const earlier = again ? await tx.find("reservations", reservationId) : null;
  if (again && earlier === null) return "settled";
  const ledger = ledgerOf(tx, userId);
  const others = (await ledger.listReserved(days, now)).filter((one) => one.reservationId !== reservationId);
  const all = sum([...(await ledger.listUsed(days)), ...others, reservation]);
  if ((unit === "count" ? all.replies : all.tokens) > max) return "exceeded";
  if (maxStarted !== null && all.started > maxStarted) return "too_many_started";
  await touchRoot(tx, quotaOf(userId));
  ledger.reserve({ ...earlier, ...plain("reservations", reservation) });
  return "reserved";
}

async function settle(
  { tx, ids, ledgerOf }: Step,
  reservation: Documents["reservations"],
  { used, turn }: Settlement,
): Promise<void> {
  await touchRoot(tx, quotaOf(reservation.userId));
  await ledgerOf(tx, reservation.userId).settle(reservation, used);
  if (turn !== null) await appendTurn(tx, ids, turn);
}

/** Settles an expired reservation, unless another server has settled it or its own server has renewed it. */
async function settleExpired(step: Step, reservationId: string, now: number): Promise<boolean> {
  const match = await step.tx.find("reservations", reservationId);
  if (match === null || match.expiresAt > now) return false;
  await settle(step, match, match.soFar ?? { used: nothing, turn: null });
  return true;
}

/** Verbs that reserve and settle. Documents contain the expiry of a share as a time of the database, like leases. */
function createShareVerbs({
  db,
  ids,
  batches: { write, define, single },
  time,
}: StoreDeps): Omit<ShareVerbs, "settleExpired"> {
  const reservations = collectionOf(db, "reservations");
  const ledgerOf = createLedgers();
  const settleFound = async (tx: Tx, reservationId: string, settlement: Settlement): Promise<boolean> => {
    const match = await tx.find("reservations", reservationId);
    if (match !== null) await settle({ tx, ids, ledgerOf }, match, settlement);
    return match !== null;
  };
  const runReserve = define<Request, Reserved>({
    call: { write: (request) => ({ reserve: request }), read: (call) => call.reserve },
    result: { write: (outcome) => ({ reserve: outcome }), read: (result) => result.reserve },
    root: ({ reservation }) => quotaOf(reservation.userId),
    run: (tx, request) => reserve({ tx, ids, ledgerOf }, request),
  });
  const runSettle = define<SettleCall, boolean>({
    call: { write: (call) => ({ settle: call }), read: (call) => call.settle },
    result: { write: (isSettled) => ({ settle: isSettled }), read: (result) => result.settle },
    root: ({ userId }) => quotaOf(userId),
    load: ({ reservationId }) => [{ name: "reservations", id: reservationId }],
    run: (tx, { reservationId, used }) => settleFound(tx, reservationId, { used, turn: null }),
  });
  return {
    async reserve({ now, reservation, ...request }) {
      const own = structuredClone({ ...request, reservation });
      const ahead = await single(time.ahead);
      const expiring = { ...own.reservation, expiresAt: own.reservation.expiresAt - ahead };
      return runReserve({ ...own, now: now - ahead, reservation: expiring });
    },
    async settle({ reservationId, used, turn = null }) {
      const own = structuredClone({ used, turn });
      // Its user never changes, so the transaction is in the queue of the quota that it writes.
      const reserved = await single(() => reservations.findOne({ _id: reservationId }));
      if (reserved === null) return false;
      if (own.turn === null) return runSettle({ userId: reserved.userId, reservationId, used: own.used });
      const roots = [quotaOf(reserved.userId), conversationRoot(own.turn.conversationId)];
      const load = [{ name: "reservations", id: reservationId }] as const;
      return write(roots, (tx) => settleFound(tx, reservationId, own), { load });
    },
    touchReservation({ reservationId, expiresAt, soFar }) {
      const own = structuredClone(soFar);
      return single(async () => {
        const change = { $set: { expiresAt: expiresAt - (await time.ahead()), soFar: own } };
        return (await reservations.updateOne({ _id: reservationId }, change)).matchedCount === 1;
      });
    },
  };
}

/** Settles expired reservations. */
function createExpiryVerbs({
  db,
  ids,
  batches: { write, single },
  time,
}: StoreDeps): Pick<ShareVerbs, "settleExpired"> {
  const ledgerOf = createLedgers();
  return {
    async settleExpired({ limit, ...asked }) {
      const now = asked.now - (await time.ahead());
      const expired = await single(() =>
        collectionOf(db, "reservations")
          .find({ expiresAt: { $lte: now } }, { sort: { expiresAt: 1 }, limit })
          .toArray(),
      );
      const settled = await Promise.all(
        expired.map(({ reservationId, userId }) =>
          write(quotaOf(userId), (tx) => settleExpired({ tx, ids, ledgerOf }, reservationId, now)),
        ),
      );
      return settled.filter(Boolean).length;
    },
  };
}

const usageOf = ({ replies, tokens, started }: Used): Usage => ({ replies, tokens, started });

/** The quotas of users, and their usage of AI. */
export function createQuotaVerbs(deps: StoreDeps): UsageVerbs & ShareVerbs {
  const { db, batches } = deps;
  const allocations = collectionOf(db, "allocations");
  const { write, single } = batches;
  const list = (userId: number, days: DayRange): Promise<Used[]> =>
    collectionOf(db, "usage")
      .find(within(userId, days), { sort: { _id: 1 } })
      .toArray();
  return {
    ...createShareVerbs(deps),
    ...createExpiryVerbs(deps),
    findAllocation: (userId) =>
      single(async () => {
        const match = await allocations.findOne({ _id: userId });
        return match === null ? null : { unit: match.unit, max: match.max, period: match.period };
      }),
    assignAllocation: (userId, { unit, max, period }) =>
      write(quotaOf(userId), async (tx) => tx.put("allocations", plain("allocations", { userId, unit, max, period }))),
    sumUsage: (userId, days) => single(async () => sum((await list(userId, days)).map(usageOf))),
    listUsage: (userId, days) =>
      single(async () => (await list(userId, days)).map((used) => ({ day: used.day, ...usageOf(used) }))),
  };
}
