import assert from "node:assert/strict";
import type { AiStore, Reservation } from "@telex/core/storage";
import { now } from "../support/fixtures.ts";

export const user = 7;

export const today = "2026-11-20";

export const november = { from: "2026-11-01", to: "2026-12-01" };

export const only = (day: string, to: string): { from: string; to: string } => ({ from: day, to });

/** The day of these reservations. */
export const justToday = only(today, "2026-11-21");

const reservation = (reservationId: string, different: Partial<Reservation> = {}): Reservation => ({
  reservationId,
  userId: user,
  day: today,
  replies: 1,
  tokens: 100,
  started: 1,
  expiresAt: now + 60_000,
  ...different,
});

export type Reserve = Parameters<AiStore["reserve"]>[0];

/** Asks for a share of the user 7 for a minute, with the given differences. */
export const request = (id: string, different: Partial<Reservation> = {}, rest: Partial<Reserve> = {}): Reserve => ({
  reservation: reservation(id, different),
  unit: "count",
  max: 10,
  maxStarted: null,
  days: justToday,
  now,
  ...rest,
});

/** At most 1000 tokens. */
export const inTokens = { unit: "token", max: 1000 } as const;

export const usage = (replies: number, tokens: number, started = replies) => ({ replies, tokens, started });

/** Asks for a share, and settles it if it is given. */
export async function useUp(store: AiStore, id: string, used: ReturnType<typeof usage>, rest: Partial<Reserve> = {}) {
  const result = await store.reserve(request(id, {}, rest));
  if (result === "reserved") await store.settle({ reservationId: id, used });
  return result;
}

/** Uses something up: reserved, and settled. */
export async function spend(
  store: AiStore,
  id: string,
  replies: number,
  tokens: number,
  on: Partial<Reservation> = {},
) {
  const used = usage(replies, tokens);
  assert.equal(await store.reserve(request(id, { ...used, ...on }, { max: Number.MAX_SAFE_INTEGER })), "reserved");
  assert.equal(await store.settle({ reservationId: id, used }), true);
}
