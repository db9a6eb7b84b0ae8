import { createLogCollector, createManualClock } from "@telex/conformance/testing";
import { expect, it } from "vitest";
import { startWatch } from "./watch.ts";

it("a feed that fails is logged once, and once more when it fails after it worked", async () => {
  const [clock, log] = [createManualClock(), createLogCollector()];
  let isAway = false;
  const read = <T>(value: T): Promise<T> => (isAway ? Promise.reject(new Error("away")) : Promise.resolve(value));
  let looks = 0;
  const { end, look } = await startWatch({
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
  isAway = false;
  expect(await look()).toBe(true);
  isAway = true;
  expect(await look()).toBe(false);
  end();
  expect(await look()).toBe(false);
  expect(looks).toBe(8);
  expect(log.lines.map((line) => line.slice(0, line.indexOf(" {")))).toEqual([
    "error watch.failed",
    "error watch.failed",
    "error watch.failed",
  ]);
});
