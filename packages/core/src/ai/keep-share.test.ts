import { expect, it } from "vitest";
import { createManualClock } from "../testing/clock.ts";
import { ticks } from "../testing/ticks.ts";
import { keepShare } from "./keep-share.ts";

const nothing = { used: { replies: 0, tokens: 0, started: 0 }, turn: null };

/** A share whose saves end when the test says so. */
function createSlowShare() {
  const clock = createManualClock();
  const saves: ((isReserved: boolean) => void)[] = [];
  let losses = 0;
  const share = {
    extend: () => new Promise<boolean>((resolve) => saves.push(resolve)),
    settle: () => Promise.resolve(),
  };
  const end = keepShare({ clock, limits: { replyLease: 15_000 } }, share, {
    soFar: () => nothing,
    lost: () => void (losses += 1),
  });
  return { clock, saves, end, losses: () => losses };
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
