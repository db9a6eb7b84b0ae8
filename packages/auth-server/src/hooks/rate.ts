import type { Telex } from "@telex/core";
import { createRateLimiter } from "@telex/core/transport";

/** The rate of one hook: 5 calls a second, and bursts of 30. */
const rate = { burst: 30, perMinute: 300 };

/** Hooks whose calls are counted. */
const mostHooks = 10_000;

/**
 * Counts the calls of hooks on all servers together. Each hook has its own user, who makes no other calls.
 * @returns 0 for a call that may continue, otherwise the seconds until one may
 */
export function createHookRate({ clock, ratePeers }: Pick<Telex, "clock" | "ratePeers">): (userId: number) => number {
  const limiter = createRateLimiter(
    { token: rate, address: rate },
    { clock, limits: { rateEntries: mostHooks }, ratePeers },
  );
  return (userId) => {
    const caller = { kind: "token", userId, tokenId: null, scopes: [], expiresAt: null } as const;
    const { refusal } = limiter.count(caller, () => null, 1);
    return refusal?.retryAfter ?? 0;
  };
}
