import { createManualClock } from "@telex/conformance/testing";
import { expect, it } from "vitest";
import { watchLife } from "./life.ts";

/** A connection on which nothing comes. */
function openSilent() {
  const clock = createManualClock();
  const pings: number[] = [];
  const cuts: number[] = [];
  const link = {
    send: () => true,
    waiting: () => 0,
    ping: () => void pings.push(clock.now()),
    close() {},
    terminate: () => void cuts.push(clock.now()),
    pause() {},
    resume() {},
  };
  return { clock, pings, cuts, life: watchLife(link, clock, () => 30_000) };
}

it("cuts a connection that is silent for 30 s, and 10 s after a ping", async () => {
  const { clock, pings, cuts } = openSilent();
  await clock.advance(39_999);
  expect([pings.length, cuts.length]).toEqual([1, 0]);
  await clock.advance(1);
  expect(cuts).toHaveLength(1);
});

it("does not cut a connection that is not read, and asks again when it is read", async () => {
  const { clock, pings, cuts, life } = openSilent();
  life.setRead(false);
  await clock.advance(600_000);
  expect(cuts).toEqual([]);
  expect(pings.length).toBeGreaterThan(1);
  life.setRead(true);
  await clock.advance(0);
  await clock.advance(39_999);
  expect(cuts).toEqual([]);
  await clock.advance(1);
  expect(cuts).toHaveLength(1);
});

it("takes a connection that is not read for alive, unless it ends", async () => {
  const { clock, life } = openSilent();
  life.setRead(false);
  const [checked, ended] = [life.check(5000), life.check(6000)];
  await clock.advance(5000);
  expect(await checked).toBe(true);
  life.stop();
  expect(await ended).toBe(false);
});
