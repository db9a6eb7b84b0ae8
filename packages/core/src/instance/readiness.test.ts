import { createManualClock, ticks } from "@telex/conformance/testing";
import { expect, it } from "vitest";
import { createReadiness } from "./readiness.ts";

/** Probes that end when the test says so. */
function setup() {
  const clock = createManualClock();
  const probes: PromiseWithResolvers<void>[] = [];
  const ready = createReadiness(clock, () => {
    const probe = Promise.withResolvers<void>();
    probes.push(probe);
    return probe.promise;
  });
  return { clock, probes, ready };
}

it("asks once for all who want to know simultaneously, and keeps the answer for a second", async () => {
  const { clock, probes, ready } = setup();
  const asked = [ready(), ready()];
  probes[0]?.resolve();
  await Promise.all(asked);
  await clock.advance(999);
  await ready();
  expect(probes).toHaveLength(1);
  await clock.advance(1);
  await ticks();
  void ready();
  expect(probes).toHaveLength(2);
});

it("keeps a failure for a second as well", async () => {
  const { clock, probes, ready } = setup();
  const refused = ready().catch(String);
  probes[0]?.reject(new Error("full"));
  expect(await refused).toBe("Error: full");
  await expect(ready()).rejects.toThrow("full");
  await clock.advance(1000);
  await ticks();
  const again = ready();
  probes[1]?.resolve();
  await again;
});

it("answers after five seconds at most, and starts no second probe next to one that hangs", async () => {
  const { clock, probes, ready } = setup();
  const refused = ready().catch((error: unknown) => error);
  await clock.advance(5000);
  expect(await refused).toMatchObject({ code: "storage_unavailable" });
  await clock.advance(60_000);
  await expect(ready()).rejects.toMatchObject({ code: "storage_unavailable" });
  expect(probes).toHaveLength(1);
  probes[0]?.resolve();
  await ticks();
  void ready();
  expect(probes).toHaveLength(2);
});
