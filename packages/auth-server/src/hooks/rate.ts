import type { Clock } from "@telex/core";

/** Calls of one hook: so many a second, and so many at once. */
const rate = { each: 5, burst: 30 };

/** Hooks whose calls are counted. */
const mostHooks = 10_000;

/** Counts the calls of hooks on this server. Returns 0 for a call that may go on, otherwise the seconds until one may. */
export function createHookRate(clock: Clock): (hookId: string) => number {
  const calls = new Map<string, { left: number; at: number }>();
  return (hookId) => {
    const now = clock.now();
    const { left, at } = calls.get(hookId) ?? { left: rate.burst, at: now };
    const filled = Math.min(rate.burst, left + (Math.max(0, now - at) / 1000) * rate.each);
    calls.delete(hookId);
    calls.set(hookId, { left: filled < 1 ? filled : filled - 1, at: now });
    if (calls.size > mostHooks) for (const oldest of calls.keys().take(1)) calls.delete(oldest);
    return filled < 1 ? Math.ceil((1 - filled) / rate.each) : 0;
  };
}
