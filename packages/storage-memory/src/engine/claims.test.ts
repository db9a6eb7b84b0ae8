import { expect, it } from "vitest";
import { claimIn } from "./claims.ts";

it("forgets claims that have ended, also while one lasts that was made before", () => {
  const claims = new Map<string, number>();
  claimIn(claims, { name: "long", now: 0, until: 1e6 });
  for (let now = 1; now <= 1000; now += 1) claimIn(claims, { name: `short ${now}`, now, until: now + 1 });
  expect(claims.size).toBeLessThan(10);
  expect(claimIn(claims, { name: "long", now: 1000, until: 1e6 })).toBe(false);
});
