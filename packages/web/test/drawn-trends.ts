import type { Route } from "playwright-core";

/** Responds with the same figures in all screenshots: those of the three hours before `now`, in Unix milliseconds. */
export const drawTrends =
  (now: number) =>
  async (route: Route): Promise<void> => {
    const list = Array.from({ length: 180 }, (_, index) => {
      const wave = 1 + Math.sin(index / 18) + ((index * 7919) % 23) / 23;
      return {
        at: new Date(now - (180 - index) * 60_000).toISOString(),
        calls: Math.round(wave * 240),
        refused: 0,
        failed: index % 61 === 7 ? 2 : 0,
        messages: Math.round(wave * 31),
        devices: 12 + Math.round(wave * 3),
        p99: 4 + wave * 9,
      };
    });
    await route.fulfill({ json: { code: 200, message: "", data: { server: null, seconds: 60, list } } });
  };
