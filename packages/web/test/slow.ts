import { setTimeout as delay } from "node:timers/promises";
import type { BrowserContext } from "playwright-core";

/** Milliseconds by which each response of the server is late at most. */
const latest = Number(process.env["TELEX_SLOW_ANSWERS"] ?? 0);

/**
 * Delays what a page asks for, each request differently, by up to `TELEX_SLOW_ANSWERS` milliseconds. That finds what a page, or
 * its test, takes for granted on a fast machine: `TELEX_SLOW_ANSWERS=700 npm test -- browser`.
 */
export async function slowDown(context: BrowserContext): Promise<void> {
  if (latest === 0) return;
  await context.route("**/*", async (route) => {
    await delay(Math.random() * latest);
    // The page may be closed by now.
    await route.continue().catch(() => {});
  });
}
