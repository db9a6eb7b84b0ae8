import { type Caller, type Clock, TelexError } from "@telex/core";
import { LRUCache } from "lru-cache";
import { addressKey } from "../request/address.ts";

/** A rate: so many calls at once, and so many in a minute over time. */
export interface Rate {
  /** Calls that may come at once. */
  readonly burst: number;
  /** Calls that a minute gives back. */
  readonly perMinute: number;
}

/** How often a caller may call. */
export interface RateLimits {
  /** Of one token. */
  readonly token: Rate;
  /** Of one address, for calls without a valid token; some calls count as several. */
  readonly address: Rate;
}

/** What the standalone server allows: generous with a token, tight without. */
export const defaultRateLimits: RateLimits = {
  token: { burst: 600, perMinute: 3000 },
  address: { burst: 300, perMinute: 600 },
};

/** What a call is told of its rate. */
export type RateHeaders = Readonly<Record<string, string>>;

/** What counting a call gave. */
export interface Counted {
  /** Headers that tell of the rate; none where nothing is known to count by. */
  readonly headers: RateHeaders;
  /** `rate_limited`, or null for a call that may go on. */
  readonly refusal: TelexError | null;
}

/** Counts calls. */
export interface RateLimiter {
  /** Counts a call of this caller, or of this address where the caller has no token. */
  count(caller: Caller, address: () => string | null, cost: number): Counted;
}

const uncounted: Counted = { headers: {}, refusal: null };

interface Bucket {
  tokens: number;
  at: number;
}

function refill(bucket: Bucket, { burst, perMinute }: Rate, now: number): void {
  const gained = (Math.max(0, now - bucket.at) * perMinute) / 60_000;
  bucket.tokens = Math.min(burst, bucket.tokens + gained);
  bucket.at = now;
}

/** `RateLimit` and `RateLimit-Policy` as structured fields: what is left, and the policy that says so. */
function describe(policy: keyof RateLimits, { burst, perMinute }: Rate, tokens: number): RateHeaders {
  const window = Math.ceil((burst * 60) / perMinute);
  const full = Math.ceil(((burst - tokens) * 60) / perMinute);
  return {
    "ratelimit-policy": `"${policy}";q=${burst};w=${window}`,
    ratelimit: `"${policy}";r=${Math.floor(tokens)};t=${full}`,
  };
}

/**
 * A token bucket for each caller, the least recently seen forgotten first.
 * @param entries callers that are remembered
 */
export function createRateLimiter(limits: RateLimits, entries: number, clock: Clock): RateLimiter {
  const buckets = new LRUCache<string, Bucket>({ max: entries });
  const take = (policy: keyof RateLimits, key: string, cost: number): Counted => {
    const rate = limits[policy];
    const now = clock.now();
    const bucket = buckets.get(key) ?? { tokens: rate.burst, at: now };
    buckets.set(key, bucket);
    refill(bucket, rate, now);
    if (bucket.tokens < cost) {
      const retryAfter = Math.ceil(((cost - bucket.tokens) * 60) / rate.perMinute);
      return {
        headers: describe(policy, rate, bucket.tokens),
        refusal: new TelexError("rate_limited", { retryAfter }),
      };
    }
    bucket.tokens -= cost;
    return { headers: describe(policy, rate, bucket.tokens), refusal: null };
  };
  return {
    count(caller, address, cost) {
      if (caller.kind === "token") return take("token", `token ${caller.tokenId ?? `of ${caller.userId}`}`, 1);
      const from = address();
      return from === null ? uncounted : take("address", addressKey(from), cost);
    },
  };
}

/** Counts nothing. */
export const unlimited: RateLimiter = { count: () => uncounted };
