import { randomBytes } from "node:crypto";
import { TelexError } from "../errors.ts";
import type { Limits } from "../limits.ts";
import type { Clock, Zone } from "../time.ts";
import type { QuotaView } from "./contract.ts";
import { boundsOf, periodOf } from "./period.ts";
import type { AiStore, Allocation, DayRange, Usage } from "./store.ts";

/** What quotas need. */
export interface QuotaDependencies {
  readonly store: AiStore;
  readonly clock: Clock;
  readonly zone: Zone;
  readonly limits: Limits;
  /** The quota of a user without an own one. */
  readonly allocation: Allocation;
}

interface Current extends Allocation {
  readonly days: DayRange;
}

async function currentOf({ store, clock, zone, allocation }: QuotaDependencies, userId: number): Promise<Current> {
  const own = (await store.findAllocation(userId)) ?? allocation;
  return { ...own, days: periodOf(zone.day(clock.now()), own.period) };
}

/** A user's quota in the current period (interface 2.4). */
export async function readQuota(deps: QuotaDependencies, userId: number): Promise<QuotaView> {
  const { unit, max, period, days } = await currentOf(deps, userId);
  const used = await deps.store.sumUsage(userId, days);
  const { start, end } = boundsOf(days, deps.zone);
  return {
    messageCount: used.replies,
    tokenCount: used.tokens,
    allocationUnit: unit,
    allocationMax: max,
    allocationPeriod: period,
    lastReset: start,
    nextReset: end,
  };
}

/** A share that was set aside for one reply. */
export interface Share {
  /** Ends the reservation with what was really used. A second call changes nothing. */
  settle(used: Usage): Promise<void>;
}

/** Tokens that a reply may take. */
export interface ReplyTokens {
  /** Of what is asked, counted beforehand. */
  readonly prompt: number;
  /** Of the reply, at most. */
  readonly output: number;
}

/**
 * Sets aside one reply and its maximum in tokens, in the period in which the reply begins. What is left must take one reply
 * or its output; the prompt is set aside with it, so that many long prompts at once do not pass by the limit.
 * @throws TelexError `quota_exceeded` where that is more than what is left
 */
export async function reserveShare(
  deps: QuotaDependencies,
  userId: number,
  { prompt, output }: ReplyTokens,
): Promise<Share> {
  const { store, clock, zone, limits } = deps;
  const { unit, days, ...own } = await currentOf(deps, userId);
  const max = unit === "token" ? own.max + prompt : own.max;
  const now = clock.now();
  const reservationId = randomBytes(16).toString("hex");
  const expiresAt = now + limits.reservationLife;
  const reservation = { reservationId, userId, day: zone.day(now), replies: 1, tokens: prompt + output, expiresAt };
  if ((await store.reserve({ reservation, unit, max, days, now })) === "exceeded") {
    const { end } = boundsOf(days, zone);
    throw new TelexError("quota_exceeded", { retryAfter: Math.max(1, Math.ceil((end - now) / 1000)) });
  }
  return {
    async settle(used) {
      await store.settle({ reservationId, used });
    },
  };
}
