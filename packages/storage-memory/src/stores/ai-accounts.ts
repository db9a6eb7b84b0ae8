import type { Allocation, Day, DayRange, Reservation, Settlement, Usage } from "@telex/core/storage";

interface Account {
  allocation: Allocation | null;
  readonly usage: Map<Day, Usage>;
  /** Not settled yet, including expired ones. */
  readonly reservations: Map<string, Reservation>;
}

export const nothing: Usage = { replies: 0, tokens: 0, started: 0 };

export const add = (a: Usage, b: Usage): Usage => ({
  replies: a.replies + b.replies,
  tokens: a.tokens + b.tokens,
  started: a.started + b.started,
});

export const within = (day: Day, { from, to }: DayRange): boolean => day >= from && day < to;

export function sumUsage({ usage }: Account, days: DayRange): Usage {
  let sum = nothing;
  for (const [day, used] of usage) if (within(day, days)) sum = add(sum, used);
  return sum;
}

/** The sum of reservations that have not expired, except the one with this id. */
export function sumReserved({ reservations }: Account, days: DayRange, now: number, except: string): Usage {
  let sum = nothing;
  for (const reservation of reservations.values()) {
    if (reservation.reservationId === except) continue;
    if (reservation.expiresAt > now && within(reservation.day, days)) sum = add(sum, reservation);
  }
  return sum;
}

/** The accounts of all users. */
export interface Accounts {
  readonly all: ReadonlyMap<number, Account>;
  readonly find: (userId: number) => Account;
  /** Like `find`, but stores a new account. */
  readonly open: (userId: number) => Account;
  readonly keep: (reservation: Reservation) => void;
  /** Stores the usage with which a reservation is settled if it expires; false if the reservation does not exist. */
  readonly touch: (reservationId: string, expiresAt: number, soFar: Settlement) => boolean;
  /** The expired reservations, and the usage with which they are settled. */
  readonly expired: (now: number) => { readonly reservationId: string; readonly soFar: Settlement }[];
  /** Ends a reservation, and returns its account and day; null if it is not known. */
  readonly release: (reservationId: string) => { readonly account: Account; readonly day: Day } | null;
}

export function createAccounts(): Accounts {
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
