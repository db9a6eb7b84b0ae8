import { createLru } from "../caches/lru.ts";
import type { Caller } from "../contract/caller.ts";
import { TelexError } from "../errors/errors.ts";
import type { LogFields } from "../log/log.ts";
import type { SecurityLog } from "../log/security.ts";
import type { Clock } from "../time/clock.ts";
import { addressKey } from "./address.ts";
import type { RatePeers } from "./peers.ts";

/** A rate: how many calls are allowed simultaneously, and per minute over time. */
interface Rate {
  /** Calls that are allowed simultaneously. */
  readonly burst: number;
  /** Calls that are added per minute. */
  readonly perMinute: number;
}

/** The number of calls that a caller may make. */
interface RateLimits {
  /** For one token. */
  readonly token: Rate;
  /** For one address, for calls without a valid token; some calls count as several. */
  readonly address: Rate;
}

/** The limits of the standalone server: high with a token, low without. */
export const defaultRateLimits: RateLimits = {
  token: { burst: 600, perMinute: 3000 },
  address: { burst: 300, perMinute: 600 },
};

/** The result of counting a call. */
export interface Counted {
  /** The rate in which the call counts, and the calls that are left; null if there is neither a token nor an address. */
  readonly state: { readonly policy: keyof RateLimits; readonly rate: Rate; readonly left: number } | null;
  /** `rate_limited`, or null for an allowed call. */
  readonly refusal: TelexError | null;
}

/** Counts calls. The transports of one server share a limiter, so that a caller does not get more by using several. */
export interface RateLimiter {
  /**
   * Counts a call of this caller, or of this address if the caller has no token.
   * @param cost how many calls it counts as; a fraction is allowed
   */
  count(caller: Caller, address: () => string | null, cost: number): Counted;
  /**
   * Counts the additional cost of a call when it is known. The next calls wait for it.
   * @param cost how many more calls; a negative number returns calls that were counted
   * @returns how many were counted: fewer than `cost` if the rate has no more. A later charge of the negative number returns
   * exactly these.
   */
  charge(caller: Caller, address: () => string | null, cost: number): number;
}

interface RateLimiterDeps {
  readonly clock: Clock;
  /** `rateEntries`: how many callers are remembered. The least recently seen caller is forgotten first. */
  readonly limits: { readonly rateEntries: number };
  /** Logs refused calls. Default: no log. */
  readonly security?: SecurityLog;
  /** The limiters of the other servers, which share their rates with this one; null without other servers. Default: null. */
  readonly ratePeers?: RatePeers | null;
}

const fieldsOf = (caller: Caller, { key }: RateKey): LogFields =>
  caller.kind === "token" ? { userId: caller.userId, tokenId: caller.tokenId } : { address: key };

interface Bucket {
  tokens: number;
  at: number;
  /** Calls that were not published to the other servers. */
  unpublished: number;
}

function refill(bucket: Bucket, { burst, perMinute }: Rate, now: number): void {
  const gained = (Math.max(0, now - bucket.at) * perMinute) / 60_000;
  bucket.tokens = Math.min(burst, bucket.tokens + gained);
  bucket.at = now;
  // Of a bucket that has filled up again, nothing needs to be published.
  bucket.unpublished = Math.min(bucket.unpublished, burst - bucket.tokens);
}

function take(bucket: Bucket, { perMinute }: Rate, cost: number): TelexError | null {
  if (bucket.tokens < cost)
    return new TelexError("rate_limited", { retryAfter: Math.ceil(((cost - bucket.tokens) * 60) / perMinute) });
  bucket.tokens -= cost;
  return null;
}

/** A charge may go down to one burst below zero, so that a caller waits at most a minute, regardless of the cost of a call. */
const leastOf = ({ burst }: Rate): number => -burst;

interface RateKey {
  readonly policy: keyof RateLimits;
  readonly key: string;
}

function rateKeyOf(caller: Caller, address: () => string | null): RateKey | null {
  if (caller.kind === "token") return { policy: "token", key: `token ${caller.tokenId ?? `of ${caller.userId}`}` };
  const from = address();
  return from === null ? null : { policy: "address", key: addressKey(from) };
}

/** The part of a burst that a caller can use on each server before it is published: most callers never cause an event. */
const unpublishedShare = 0.1;
/** Milliseconds in which the calls of busy callers are collected for one event. */
const publishDelay = 5;

function publishAll(busy: Map<Bucket, RateKey>, peers: RatePeers): void {
  const uses = Array.from(busy, ([bucket, { policy, key }]) => ({ policy, key, calls: bucket.unpublished }));
  for (const bucket of busy.keys()) bucket.unpublished = 0;
  busy.clear();
  peers.publish(uses);
}

/** Publishes the calls of busy callers, many callers in one event. */
function createPublishing(rates: RateLimits, peers: RatePeers, clock: Clock) {
  const busy = new Map<Bucket, RateKey>();
  const publish = (): void => publishAll(busy, peers);
  return (rateKey: RateKey, bucket: Bucket, isBusyElsewhere: boolean): void => {
    const { unpublished, tokens } = bucket;
    const { burst } = rates[rateKey.policy];
    const isQuiet = !isBusyElsewhere && burst - tokens < unpublishedShare * burst;
    // Returned calls are always published.
    if (unpublished === 0 || (unpublished > 0 && isQuiet)) return;
    if (busy.size === 0) clock.after(publishDelay, publish);
    busy.set(bucket, rateKey);
  };
}

/**
 * A token bucket for each caller. A Telex instance has the required deps. The servers of an installation publish the calls of busy callers to
 * each other, so that a caller gets little more than one rate from all of them: only the calls before the other servers know of them.
 */
export function createRateLimiter(
  rates: RateLimits,
  { clock, limits, security, ratePeers = null }: RateLimiterDeps,
): RateLimiter {
  const buckets = createLru<string, Bucket>(limits.rateEntries);
  const bucketOf = ({ policy, key }: RateKey): Bucket => {
    const now = clock.now();
    const bucket = buckets.get(key) ?? { tokens: rates[policy].burst, at: now, unpublished: 0 };
    buckets.set(key, bucket);
    refill(bucket, rates[policy], now);
    return bucket;
  };
  const publishSoon = ratePeers === null ? null : createPublishing(rates, ratePeers, clock);
  const add = (rateKey: RateKey, bucket: Bucket, calls: number): void => {
    bucket.unpublished += calls;
    publishSoon?.(rateKey, bucket, false);
  };
  ratePeers?.subscribe(({ policy, key, calls }) => {
    if (policy === "attempt") return;
    const bucket = bucketOf({ policy, key });
    // Before counting, because the other server must know the calls that this one has counted, even if they are few.
    publishSoon?.({ policy, key }, bucket, true);
    bucket.tokens = Math.max(leastOf(rates[policy]), bucket.tokens - calls);
  });
  return {
    count(caller, address, cost) {
      const rateKey = rateKeyOf(caller, address);
      if (rateKey === null) return { state: null, refusal: null };
      const { policy } = rateKey;
      const rate = rates[policy];
      const bucket = bucketOf(rateKey);
      const refusal = take(bucket, rate, cost);
      if (refusal === null) add(rateKey, bucket, cost);
      else security?.noteOnce("rate.limited", rateKey.key, fieldsOf(caller, rateKey));
      return { state: { policy, rate, left: Math.max(0, bucket.tokens) }, refusal };
    },
    charge(caller, address, cost) {
      const rateKey = rateKeyOf(caller, address);
      if (rateKey === null) return 0;
      const bucket = bucketOf(rateKey);
      const { [rateKey.policy]: rate } = rates;
      const { tokens } = bucket;
      bucket.tokens = Math.min(rate.burst, Math.max(leastOf(rate), tokens - cost));
      add(rateKey, bucket, tokens - bucket.tokens);
      return tokens - bucket.tokens;
    },
  };
}

/** Counts nothing. */
export const unlimited: RateLimiter = {
  count: () => ({ state: null, refusal: null }),
  charge: () => 0,
};
