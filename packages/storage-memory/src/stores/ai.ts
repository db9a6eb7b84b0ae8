import type { AiStore, Settlement, Turn } from "@telex/core/storage";
import { createConversations } from "./conversations.ts";
import type { Files } from "./files.ts";
import type { Counters } from "../engine/counters.ts";
import type { Verb } from "../engine/gate.ts";
import type { Kept, Tables } from "../engine/tables.ts";
import { nothing, add, within, sumUsage, sumReserved, type Accounts, createAccounts } from "./ai-accounts.ts";

type QuotaKind = "allocations" | "usage" | "reservations";

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
  reserve: verb(({ reservation, unit, max, maxStarted, days, now, again = false }) => {
    const account = accounts.open(reservation.userId);
    if (again && !account.reservations.has(reservation.reservationId)) return "settled";
    const others = sumReserved(account, days, now, reservation.reservationId);
    const sum = add(sumUsage(account, days), add(others, reservation));
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
  files: Files,
): Kept<AiStore, QuotaKind | "conversations" | "conversationMessages"> {
  const accounts = createAccounts();
  const conversations = createConversations(verb, counters, files);
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
