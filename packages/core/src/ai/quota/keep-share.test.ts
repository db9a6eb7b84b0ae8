import { expect, it } from "vitest";
import { createManualClock } from "@telex/conformance/testing";
import { ticks } from "@telex/conformance/testing";
import { createLogCollector } from "@telex/conformance/testing";
import { keepShare, logRetried } from "./keep-share.ts";

const nothing = { used: { replies: 0, tokens: 0, started: 0 }, turn: null };

/** A share whose saves end when the test says so. */
function createSlowShare() {
  const clock = createManualClock();
  const log = createLogCollector();
  const saves: ((isReserved: boolean | Promise<boolean>) => void)[] = [];
  let losses = 0;
  const share = {
    extend: () => new Promise<boolean>((resolve) => saves.push(resolve)),
    settle: () => Promise.resolve(true),
    step: () => Promise.resolve(),
  };
  const deps = { clock, limits: { replyLease: 15_000 }, saveFailed: logRetried({ log, clock }, "ai.save_failed") };
  const kept = keepShare(deps, share, { soFar: () => nothing, lost: () => void (losses += 1) });
  return { clock, log, saves, ...kept, losses: () => losses };
}

it("stores a reply again only when the save before has ended", async () => {
  const { clock, saves, losses } = createSlowShare();
  await clock.advance(9000);
  expect(saves).toHaveLength(1);
  saves[0]?.(true);
  await ticks(1);
  await clock.advance(3000);
  expect(saves).toHaveLength(2);
  saves[1]?.(false);
  await ticks(1);
  await clock.advance(9000);
  expect([saves.length, losses()]).toEqual([2, 1]);
});

it("tells a reply that has ended nothing of a save that ends later", async () => {
  const { clock, saves, end, losses } = createSlowShare();
  await clock.advance(3000);
  end();
  saves[0]?.(false);
  await ticks(1);
  await clock.advance(9000);
  expect([saves.length, losses()]).toEqual([1, 0]);
});

it("stores the first piece when it comes, the others at the interval, and none during another save", async () => {
  const { clock, saves, said } = createSlowShare();
  await clock.advance(1000);
  said();
  said();
  expect(saves).toHaveLength(0);
  await clock.advance(0);
  expect(saves).toHaveLength(1);
  said();
  await clock.advance(3000);
  expect(saves).toHaveLength(1);
  saves[0]?.(true);
  await ticks(1);
  said();
  await clock.advance(2999);
  expect(saves).toHaveLength(1);
  await clock.advance(1);
  expect(saves).toHaveLength(2);
});

it("stores the first piece as soon as a save has ended during which it came", async () => {
  const { clock, saves, said } = createSlowShare();
  await clock.advance(3000);
  said();
  await clock.advance(1000);
  expect(saves).toHaveLength(1);
  saves[0]?.(true);
  await ticks(1);
  await clock.advance(0);
  expect(saves).toHaveLength(2);
});

it("stores nothing of a reply that ends in the tick in which it begins", async () => {
  const { clock, saves, said, end } = createSlowShare();
  said();
  end();
  await clock.advance(9000);
  expect(saves).toHaveLength(0);
});

it("logs why saves fail, each cause once a minute, and goes on", async () => {
  const { clock, log, saves, losses } = createSlowShare();
  for (const cause of ["full", "full", "away"]) {
    await clock.advance(3000);
    saves.at(-1)?.(Promise.reject(new Error(cause)));
    await ticks(1);
  }
  expect(log.lines.map((line) => /full|away/v.exec(line)?.[0])).toEqual(["full", "away"]);
  expect([saves.length, losses()]).toEqual([3, 0]);
});
