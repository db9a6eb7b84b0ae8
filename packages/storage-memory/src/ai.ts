import type { AiStore, Allocation, Day, DayRange, Reservation, Usage } from "@telex/core/storage";
import { createConversations } from "./conversations.ts";
import type { Counters } from "./counters.ts";
import type { Verb } from "./gate.ts";
import type { Kept, Tables } from "./tables.ts";

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
  /** Ends a reservation: its account and day, or null where it is not known. */
  readonly release: (reservationId: string) => { readonly account: Account; readonly day: Day } | null;
}

function createAccounts(): Accounts {
  const all = new Map<number, Account>();
  /** The user of a reservation that is not settled yet. */
  const holders = new Map<string, Account>();
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
    release(reservationId) {
      const account = holders.get(reservationId);
      const day = account?.reservations.get(reservationId)?.day;
      if (account === undefined || day === undefined) return null;
      holders.delete(reservationId);
      account.reservations.delete(reservationId);
      return { account, day };
    },
  };
}

function settle(accounts: Accounts, reservationId: string, used: Usage): boolean {
  const released = accounts.release(reservationId);
  if (released === null) return false;
  const { account, day } = released;
  const sum = add(account.usage.get(day) ?? nothing, used);
  if (sum.replies > 0 || sum.tokens > 0 || sum.started > 0) account.usage.set(day, sum);
  return true;
}

type QuotaVerbs = Pick<
  AiStore,
  "findAllocation" | "assignAllocation" | "sumUsage" | "listUsage" | "reserve" | "settle"
>;

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
  reserve: verb(({ reservation, unit, max, maxStarted, days, now }) => {
    const account = accounts.open(reservation.userId);
    const sum = add(sumUsage(account, days), add(sumReserved(account, days, now), reservation));
    if ((unit === "count" ? sum.replies : sum.tokens) > max) return "exceeded";
    if (maxStarted !== null && sum.started > maxStarted) return "too_many_started";
    accounts.keep(reservation);
    return "reserved";
  }),
  settle: verb(({ reservationId, used }) => settle(accounts, reservationId, used)),
});

/** Quotas and conversations in memory. */
export function createAiStore(
  verb: Verb,
  counters: Counters,
): Kept<AiStore, QuotaKind | "conversations" | "conversationMessages"> {
  const accounts = createAccounts();
  const conversations = createConversations(verb, counters);
  return {
    store: { ...quotaVerbs(verb, accounts), ...conversations.store },
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
