import type { Telex } from "@telex/core";
import { createManualClock } from "@telex/conformance/testing";
import { expect, it } from "vitest";
import { createHookRate } from "./rate.ts";

type RatePeers = NonNullable<Telex["ratePeers"]>;

/** Servers of one installation. An event arrives after a millisecond. */
function servers(count: number) {
  const clock = createManualClock();
  const heard: Parameters<RatePeers["subscribe"]>[0][] = [];
  const waits = Array.from({ length: count }, (_, own) => {
    const ratePeers: RatePeers = {
      publish: (uses) =>
        void clock.after(1, () => {
          for (const [at, counted] of heard.entries()) if (at !== own) uses.forEach(counted);
        }),
      subscribe: (counted) => void heard.push(counted),
    };
    return createHookRate({ clock, ratePeers });
  });
  return { clock, waits };
}

it("calls of a hook on three servers count together, with a fifth more at most", async () => {
  const { clock, waits } = servers(3);
  let allowed = 0;
  for (let call = 0; call < 300; call += 1) {
    if (waits[call % 3]?.(7) === 0) allowed += 1;
    await clock.advance(10);
  }
  const given = 30 + 5 * 3;
  expect(allowed).toBeGreaterThanOrEqual(given - 1);
  expect(allowed).toBeLessThanOrEqual(1.2 * given);
  expect(waits.map((wait) => wait(8))).toEqual([0, 0, 0]);
});
