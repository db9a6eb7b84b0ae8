import { randomBytes } from "node:crypto";
import { TelexError } from "@telex/ground/errors";
import type { Clock, Zone } from "@telex/ground/time";
import type { Tally } from "../../observe/figures.ts";
import type { AiLimits } from "../limits.ts";
import type { QuotaView } from "../contract.ts";
import { boundsOf, periodOf } from "./period.ts";
import type { AiStore, DayRange } from "../store.ts";
import type { Allocation, Reservation, Settlement } from "../../records/ai.ts";

export interface QuotaDeps {
  readonly store: AiStore;
  readonly clock: Clock;
  readonly zone: Zone;
  readonly limits: AiLimits;
  /** The quota of a user who has none of their own. */
  readonly allocation: Allocation;
  readonly tally: Pick<Tally, "quotaRefusals">;
}

interface Current extends Allocation {
  readonly days: DayRange;
}

async function currentOf({ store, clock, zone, allocation }: QuotaDeps, userId: number): Promise<Current> {
  const own = (await store.findAllocation(userId)) ?? allocation;
  return { ...own, days: periodOf(zone.day(clock.now()), own.period) };
}

/** A user's quota in the current period (interface 2.4). */
export async function readQuota(deps: QuotaDeps, userId: number): Promise<QuotaView> {
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

/** Maximum started replies for each reply of a quota that counts replies, so that stopped replies are not free without limit. */
const startsPerReply = 3;

export interface Share {
  /**
   * Ends the reservation with the real use, and stores the turn. Changes nothing and resolves with false if it was settled before, also by
   * another server.
   */
  settle(settlement: Settlement): Promise<boolean>;
  /**
   * Reserves the share for another `life` milliseconds, and stores the settlement for the case that this server is gone by then. Resolves with
   * false if it was settled.
   */
  extend(soFar: Settlement): Promise<boolean>;
  /**
   * Reserves the tokens of a further step, in place of the earlier reservation. `spent`: the tokens of the steps before.
   * @throws TelexError `quota_exceeded`
   */
  step(tokens: ReplyTokens & { readonly spent: number }): Promise<void>;
}

interface ReplyTokens {
  /** Tokens of the request, counted beforehand. */
  readonly prompt: number;
  readonly output: number;
}

/** A share of the quota, and its life in milliseconds unless it is extended. */
interface ShareRequest extends ReplyTokens {
  readonly life: number;
}

const reservationOf = (
  { zone }: QuotaDeps,
  userId: number,
  { prompt, output, life }: ShareRequest,
  now: number,
): Reservation => ({
  reservationId: randomBytes(16).toString("hex"),
  userId,
  day: zone.day(now),
  replies: 1,
  tokens: prompt + output,
  started: 1,
  expiresAt: now + life,
});

/** @param rest milliseconds of the period */
function quotaExceeded(outcome: string, max: number, rest: number): TelexError {
  const retryAfter = Math.max(1, Math.ceil(rest / 1000));
  const reason = outcome === "too_many_started" ? { reason: "replies_started" as const } : {};
  return new TelexError("quota_exceeded", { ...reason, params: { max }, retryAfter });
}

/**
 * Sets aside one reply and its maximum in tokens, in the period in which the reply begins. The rest of the quota must cover one reply
 * or its output. The prompt is set aside with it, so that many long simultaneous prompts do not evade the limit. If the quota
 * counts replies, a user may start at most three times as many.
 * @throws TelexError `quota_exceeded` if the rest of the quota is smaller
 */
export async function reserveShare(deps: QuotaDeps, userId: number, request: ShareRequest): Promise<Share> {
  const { store, clock } = deps;
  const { unit, days, ...own } = await currentOf(deps, userId);
  let reservation = reservationOf(deps, userId, request, clock.now());
  const maxStarted = unit === "count" ? own.max * startsPerReply : null;
  const reserve = async (asked: Reservation, prompt: number, again?: true): Promise<void> => {
    const now = clock.now();
    const max = unit === "token" ? own.max + prompt : own.max;
    const outcome = await store.reserve({
      reservation: asked,
      unit,
      max,
      maxStarted,
      days,
      now,
      ...(again && { again }),
    });
    if (outcome === "reserved") return void (reservation = asked);
    deps.tally.quotaRefusals += 1;
    throw quotaExceeded(outcome, maxStarted ?? 0, boundsOf(days, deps.zone).end - now);
  };
  await reserve(reservation, request.prompt);
  const { reservationId } = reservation;
  return {
    settle: (settlement) => store.settle({ reservationId, ...settlement }),
    extend({ used, turn }) {
      const soFar = { used: { ...used, tokens: Math.min(used.tokens, reservation.tokens) }, turn };
      return store.touchReservation({ reservationId, expiresAt: clock.now() + request.life, soFar });
    },
    step({ prompt, output, spent }) {
      const expiresAt = clock.now() + request.life;
      return reserve({ ...reservation, tokens: spent + prompt + output, expiresAt }, prompt, true);
    },
  };
}
