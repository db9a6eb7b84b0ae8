import type { DayRange, Usage } from "@telex/core/storage";
import { plain } from "../driver/collections.ts";
import { type Documents, idFor } from "../driver/documents.ts";
import type { Tx } from "../driver/transaction.ts";

type Reservation = Documents["reservations"];

export const nothing: Usage = { replies: 0, tokens: 0, started: 0 };

const add = (a: Usage, b: Usage): Usage => ({
  replies: a.replies + b.replies,
  tokens: a.tokens + b.tokens,
  started: a.started + b.started,
});

export const sum = (all: readonly Usage[]): Usage => all.reduce(add, nothing);

const isSomething = ({ replies, tokens, started }: Usage): boolean => replies > 0 || tokens > 0 || started > 0;

const isWithin = (day: string, { from, to }: DayRange): boolean => day >= from && day < to;

/** The filter for the usage of a user on these days, on the index of ids. */
export const within = (userId: number, { from, to }: DayRange) => ({
  _id: { $gte: { a: userId, b: from }, $lt: { a: userId, b: to } },
});

/**
 * The usage and reservations of a user, as the verbs of one transaction see them. They are read once for all verbs, because each list
 * would first write the pending documents.
 */
interface Ledger {
  readonly listUsed: (days: DayRange) => Promise<readonly Usage[]>;
  /** Without expired reservations. */
  readonly listReserved: (days: DayRange, now: number) => Promise<readonly Reservation[]>;
  readonly reserve: (reservation: Reservation) => void;
  /** Counts the usage instead of the reservation. */
  readonly settle: (reservation: Reservation, used: Usage) => Promise<void>;
}

function createLedger(tx: Tx, userId: number): Ledger {
  const read: { readonly days: DayRange; readonly used: Map<string, Usage> }[] = [];
  let reserved: Map<string, Reservation> | null = null;
  return {
    async listUsed(days) {
      const before = read.find((one) => one.days.from === days.from && one.days.to === days.to);
      if (before !== undefined) return [...before.used.values()];
      const matches = await tx.list("usage", within(userId, days));
      read.push({ days, used: new Map(matches.map((used) => [used.day, used])) });
      return matches;
    },
    async listReserved(days, now) {
      reserved ??= new Map((await tx.list("reservations", { userId })).map((one) => [one.reservationId, one]));
      return [...reserved.values()].filter(({ expiresAt, day }) => expiresAt > now && isWithin(day, days));
    },
    reserve(reservation) {
      tx.put("reservations", reservation);
      reserved?.set(reservation.reservationId, reservation);
    },
    async settle({ reservationId, day }, used) {
      tx.drop("reservations", reservationId);
      reserved?.delete(reservationId);
      const before = await tx.find("usage", idFor([userId, day]));
      const total = add(before ?? nothing, used);
      if (!isSomething(total)) return;
      const document = plain("usage", { userId, day, ...total });
      tx.put("usage", document);
      for (const { days, used: known } of read) if (isWithin(day, days)) known.set(day, document);
    },
  };
}

/** Finds the ledger of a user in a transaction. */
export type FindLedger = (tx: Tx, userId: number) => Ledger;

export function createLedgers(): FindLedger {
  const all = new WeakMap<Tx, Map<number, Ledger>>();
  return (tx, userId) => {
    const ofTx = all.get(tx) ?? new Map<number, Ledger>();
    all.set(tx, ofTx);
    const ledger = ofTx.get(userId) ?? createLedger(tx, userId);
    ofTx.set(userId, ledger);
    return ledger;
  };
}
