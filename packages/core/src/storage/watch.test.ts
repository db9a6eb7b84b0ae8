import { createLogCollector, createManualClock } from "@telex/conformance/testing";
import { expect, it } from "vitest";
import { startWatch } from "./watch.ts";

it("a feed that fails is logged once, and once more when it fails after it worked", async () => {
  const [clock, log] = [createManualClock(), createLogCollector()];
  let isAway = false;
  const read = <T>(value: T): Promise<T> => (isAway ? Promise.reject(new Error("away")) : Promise.resolve(value));
  let looks = 0;
  const stop = await startWatch({
    feed: { latest: () => read(0), since: () => read([]) },
    clock,
    interval: 250,
    log,
    changed() {},
    missed() {},
    tick: () => void (looks += 1),
  });
  for (const away of [true, true, true, false, true, true]) {
    isAway = away;
    await clock.advance(250);
  }
  stop();
  expect(looks).toBe(6);
  expect(log.lines.map((line) => line.slice(0, line.indexOf(" {")))).toEqual([
    "error watch.failed",
    "error watch.failed",
  ]);
});
