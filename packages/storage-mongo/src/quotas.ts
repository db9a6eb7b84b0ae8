import type { AiStore, DayRange, Settlement, Usage } from "@telex/core/storage";
import { appendTurn } from "./conversations.ts";
import { collectionOf, plain, type StoreDeps } from "./deps.ts";
import { type Documents, idFor } from "./documents.ts";
import type { Ids } from "./ids.ts";
import type { Tx } from "./transaction.ts";

type UsageVerbs = Pick<AiStore, "findAllocation" | "assignAllocation" | "sumUsage" | "listUsage">;
type ShareVerbs = Pick<AiStore, "reserve" | "settle" | "touchReservation" | "settleExpired">;
type Request = Parameters<AiStore["reserve"]>[0];
type Used = Documents["usage"];

const nothing: Usage = { replies: 0, tokens: 0, started: 0 };

const add = (a: Usage, b: Usage): Usage => ({
  replies: a.replies + b.replies,
  tokens: a.tokens + b.tokens,
  started: a.started + b.started,
});
const sum = (all: readonly Usage[]): Usage => all.reduce(add, nothing);

/** The root of a user's quota: every reservation and settlement writes it. */
const quotaOf = (userId: number): string => `ai/${userId}`;

/** The filter for the use of a user on these days, on the index of ids. */
const within = (userId: number, { from, to }: DayRange) => ({
  _id: { $gte: { a: userId, b: from }, $lt: { a: userId, b: to } },
});

/** Writes a root, so that two transactions that read what belongs to it conflict. */
export async function touchRoot(tx: Tx, root: string): Promise<void> {
  const before = await tx.find("quotas", root);
  tx.put("quotas", { _id: root, rev: (before?.rev ?? 0) + 1 });
}

async function reserve(
  tx: Tx,
  { reservation, unit, max, maxStarted, days, now }: Request,
): ReturnType<AiStore["reserve"]> {
  const { userId } = reservation;
  const used = await tx.list("usage", within(userId, days));
  const day = { $gte: days.from, $lt: days.to };
  const reserved = await tx.list("reservations", { userId, expiresAt: { $gt: now }, day });
  const all = sum([...used, ...reserved, reservation]);
  if ((unit === "count" ? all.replies : all.tokens) > max) return "exceeded";
  if (maxStarted !== null && all.started > maxStarted) return "too_many_started";
  await touchRoot(tx, quotaOf(userId));
  tx.put("reservations", plain("reservations", reservation));
  return "reserved";
}

const isSomething = ({ replies, tokens, started }: Usage): boolean => replies > 0 || tokens > 0 || started > 0;

async function settle(
  tx: Tx,
  ids: Ids,
  { reservationId, userId, day }: Documents["reservations"],
  { used, turn }: Settlement,
): Promise<void> {
  await touchRoot(tx, quotaOf(userId));
  tx.drop("reservations", reservationId);
  const before = await tx.find("usage", idFor([userId, day]));
  const total = add(before ?? nothing, used);
  if (isSomething(total)) tx.put("usage", plain("usage", { userId, day, ...total }));
  if (turn !== null) await appendTurn(tx, ids, turn);
}

const rootOf = (reservationId: string): string => `reservation ${reservationId}`;

/** Settles a reservation if no other server has done it, and its own has not shown that it lives. */
async function settleExpired(tx: Tx, ids: Ids, reservationId: string, now: number): Promise<boolean> {
  const found = await tx.find("reservations", reservationId);
  if (found === null || found.expiresAt > now) return false;
  await settle(tx, ids, found, found.soFar ?? { used: nothing, turn: null });
  return true;
}

/** Reserved shares of quotas. Documents say by the clock of the database when a share expires, as leases do. */
const createShareVerbs = ({ db, ids, batches: { write, single }, time }: StoreDeps): ShareVerbs => ({
  reserve({ now, reservation, ...request }) {
    const own = structuredClone({ ...request, reservation });
    return write(quotaOf(own.reservation.userId), async (tx) => {
      const ahead = await time.ahead();
      const expiresAt = own.reservation.expiresAt - ahead;
      return reserve(tx, { ...own, now: now - ahead, reservation: { ...own.reservation, expiresAt } });
    });
  },
  settle({ reservationId, used, turn = null }) {
    const own = structuredClone({ used, turn });
    return write(rootOf(reservationId), async (tx) => {
      const found = await tx.find("reservations", reservationId);
      if (found !== null) await settle(tx, ids, found, own);
      return found !== null;
    });
  },
  touchReservation({ reservationId, expiresAt, soFar }) {
    const own = structuredClone(soFar);
    return write(rootOf(reservationId), async (tx) => {
      const found = await tx.find("reservations", reservationId);
      if (found !== null) tx.put("reservations", { ...found, expiresAt: expiresAt - (await time.ahead()), soFar: own });
      return found !== null;
    });
  },
  async settleExpired({ limit, ...asked }) {
    const now = asked.now - (await time.ahead());
    const reservations = collectionOf(db, "reservations");
    const expired = await single(() =>
      reservations.find({ expiresAt: { $lte: now } }, { sort: { expiresAt: 1 }, limit }).toArray(),
    );
    const settled = await Promise.all(
      expired.map(({ reservationId: id }) => write(rootOf(id), (tx) => settleExpired(tx, ids, id, now))),
    );
    return settled.filter(Boolean).length;
  },
});

const usageOf = ({ replies, tokens, started }: Used): Usage => ({ replies, tokens, started });

/** What users may use of AI, and what they have used. */
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
    findAllocation: (userId) =>
      single(async () => {
        const found = await allocations.findOne({ _id: userId });
        return found === null ? null : { unit: found.unit, max: found.max, period: found.period };
      }),
    assignAllocation: (userId, { unit, max, period }) =>
      write(quotaOf(userId), async (tx) => tx.put("allocations", plain("allocations", { userId, unit, max, period }))),
    sumUsage: (userId, days) => single(async () => sum((await list(userId, days)).map(usageOf))),
    listUsage: (userId, days) =>
      single(async () => (await list(userId, days)).map((used) => ({ day: used.day, ...usageOf(used) }))),
  };
}
