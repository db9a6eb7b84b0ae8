import type { AiStore, Allocation, Day, DayRange, Reservation, Settlement, Turn, Usage } from "@telex/core/storage";
import { createConversations } from "./conversations.ts";
import type { Counters } from "../engine/counters.ts";
import type { Verb } from "../engine/gate.ts";
import type { Kept, Tables } from "../engine/tables.ts";

interface Account {
  allocation: Allocation | null;
  readonly usage: Map<Day, Usage>;
  /** Not settled yet, expired ones included. */
  readonly reservations: Map<string, Reservation>;
}

const nothing: Usage = { replies: 0, tokens: 0, started: 0 };
const add = (a: Usage, b: Usage): Usage => ({
  replies: a.replies + b.replies,
  tokens: a.tokens + b.tokens,
  started: a.started + b.started,
});
const within = (day: Day, { from, to }: DayRange): boolean => day >= from && day < to;

function sumUsage({ usage }: Account, days: DayRange): Usage {
  let sum = nothing;
  for (const [day, used] of usage) if (within(day, days)) sum = add(sum, used);
  return sum;
}

function sumReserved({ reservations }: Account, days: DayRange, now: number): Usage {
  let sum = nothing;
  for (const reservation of reservations.values()) {
    if (reservation.expiresAt > now && within(reservation.day, days)) sum = add(sum, reservation);
  }
  return sum;
}

type QuotaKind = "allocations" | "usage" | "reservations";

/** The accounts of all users. */
interface Accounts {
  readonly all: ReadonlyMap<number, Account>;
  readonly find: (userId: number) => Account;
  /** Like `find`, and keeps the account. */
  readonly open: (userId: number) => Account;
  readonly keep: (reservation: Reservation) => void;
  /** Keeps what a reservation is settled with if it expires; false where it is not known. */
  readonly touch: (reservationId: string, expiresAt: number, soFar: Settlement) => boolean;
  /** The reservations that expired, and what they are settled with. */
  readonly expired: (now: number) => { readonly reservationId: string; readonly soFar: Settlement }[];
  /** Ends a reservation: its account and day, or null where it is not known. */
  readonly release: (reservationId: string) => { readonly account: Account; readonly day: Day } | null;
}

function createAccounts(): Accounts {
  const all = new Map<number, Account>();
  /** The user of a reservation that is not settled yet. */
  const holders = new Map<string, Account>();
  const soFarOf = new Map<string, Settlement>();
  const find = (userId: number): Account =>
    all.get(userId) ?? { allocation: null, usage: new Map(), reservations: new Map() };
  const open = (userId: number): Account => {
    const account = find(userId);
    all.set(userId, account);
    return account;
  };
  return {
    all,
    find,
    open,
    keep(reservation) {
      const account = open(reservation.userId);
      account.reservations.set(reservation.reservationId, { ...reservation });
      holders.set(reservation.reservationId, account);
    },
    touch(reservationId, expiresAt, soFar) {
      const reservations = holders.get(reservationId)?.reservations;
      const reservation = reservations?.get(reservationId);
      if (reservations === undefined || reservation === undefined) return false;
      reservations.set(reservationId, { ...reservation, expiresAt });
      soFarOf.set(reservationId, soFar);
      return true;
    },
    expired: (now) =>
      Array.from(holders, ([id, account]) => account.reservations.get(id))
        .filter((reservation) => reservation !== undefined)
        .filter(({ expiresAt }) => expiresAt <= now)
        .map(({ reservationId }) => ({
          reservationId,
          soFar: soFarOf.get(reservationId) ?? { used: nothing, turn: null },
        })),
    release(reservationId) {
      const account = holders.get(reservationId);
      const day = account?.reservations.get(reservationId)?.day;
      if (account === undefined || day === undefined) return null;
      holders.delete(reservationId);
      soFarOf.delete(reservationId);
      account.reservations.delete(reservationId);
      return { account, day };
    },
  };
}

type AddTurn = (turn: Turn) => unknown;

function settle(accounts: Accounts, addTurn: AddTurn, reservationId: string, { used, turn }: Settlement): boolean {
  const released = accounts.release(reservationId);
  if (released === null) return false;
  const { account, day } = released;
  const sum = add(account.usage.get(day) ?? nothing, used);
  if (sum.replies > 0 || sum.tokens > 0 || sum.started > 0) account.usage.set(day, sum);
  if (turn !== null) addTurn(turn);
  return true;
}

type ShareVerbs = Pick<AiStore, "reserve" | "settle" | "touchReservation" | "settleExpired">;
type QuotaVerbs = Pick<AiStore, "findAllocation" | "assignAllocation" | "sumUsage" | "listUsage">;

const quotaVerbs = (verb: Verb, accounts: Accounts): QuotaVerbs => ({
  findAllocation: verb((userId) => accounts.find(userId).allocation),
  assignAllocation: verb((userId, allocation) => {
    accounts.open(userId).allocation = { ...allocation };
  }),
  sumUsage: verb((userId, days) => sumUsage(accounts.find(userId), days)),
  listUsage: verb((userId, days) =>
    Array.from(accounts.find(userId).usage, ([day, used]) => ({ day, ...used }))
      .filter(({ day }) => within(day, days))
      .toSorted((a, b) => (a.day < b.day ? -1 : 1)),
  ),
});

const shareVerbs = (verb: Verb, accounts: Accounts, addTurn: AddTurn): ShareVerbs => ({
  reserve: verb(({ reservation, unit, max, maxStarted, days, now }) => {
    const account = accounts.open(reservation.userId);
    const sum = add(sumUsage(account, days), add(sumReserved(account, days, now), reservation));
    if ((unit === "count" ? sum.replies : sum.tokens) > max) return "exceeded";
    if (maxStarted !== null && sum.started > maxStarted) return "too_many_started";
    accounts.keep(reservation);
    return "reserved";
  }),
  settle: verb(({ reservationId, used, turn = null }) => settle(accounts, addTurn, reservationId, { used, turn })),
  touchReservation: verb(({ reservationId, expiresAt, soFar }) =>
    accounts.touch(reservationId, expiresAt, structuredClone(soFar)),
  ),
  settleExpired: verb(({ now, limit }) => {
    const expired = accounts.expired(now).slice(0, limit);
    for (const { reservationId, soFar } of expired) settle(accounts, addTurn, reservationId, soFar);
    return expired.length;
  }),
});

/** Quotas and conversations in memory. */
export function createAiStore(
  verb: Verb,
  counters: Counters,
): Kept<AiStore, QuotaKind | "conversations" | "conversationMessages"> {
  const accounts = createAccounts();
  const conversations = createConversations(verb, counters);
  return {
    store: {
      ...quotaVerbs(verb, accounts),
      ...shareVerbs(verb, accounts, conversations.addTurn),
      ...conversations.store,
    },
    tables: { ...tablesOf(accounts), ...conversations.tables },
  };
}

const tablesOf = ({ all, open, keep }: Accounts): Tables<QuotaKind> => ({
  allocations: {
    *all() {
      for (const [userId, { allocation }] of all) if (allocation !== null) yield { userId, ...allocation };
    },
    put({ userId, unit, max, period }) {
      open(userId).allocation = { unit, max, period };
    },
  },
  usage: {
    *all() {
      for (const [userId, { usage }] of all) for (const [day, used] of usage) yield { userId, day, ...used };
    },
    put: ({ userId, day, replies, tokens, started }) => void open(userId).usage.set(day, { replies, tokens, started }),
  },
  reservations: {
    *all() {
      for (const { reservations } of all.values()) yield* reservations.values();
    },
    put: keep,
  },
});
