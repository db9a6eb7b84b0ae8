import { setTimeout as delay } from "node:timers/promises";
import type { BrowserContext } from "playwright-core";

/** The maximum delay of each response of the server, in milliseconds. */
const latest = Number(process.env["TELEX_SLOW_ANSWERS"] ?? 0);

/**
 * Delays each request of a page by a random time up to `TELEX_SLOW_ANSWERS` milliseconds. This finds pages and tests that depend on fast
 * responses: `TELEX_SLOW_ANSWERS=700 npm test -- browser`.
 */
export async function slowDown(context: BrowserContext): Promise<void> {
  if (latest === 0) return;
  await context.route("**/*", async (route) => {
    await delay(Math.random() * latest);
    // The page may already be closed.
    await route.continue().catch(() => {});
  });
}
