import { expect, it } from "vitest";
import { createHeartbeat } from "./heartbeat.ts";

it("every connection is checked once in an interval, until it ends", () => {
  const planned: (() => void)[] = [];
  const tick = (): void => planned.shift()?.();
  const delays: number[] = [];
  let cancelled = 0;
  const clock = {
    now: () => 0,
    after(delay: number, run: () => void) {
      delays.push(delay);
      planned.push(run);
      return () => void (cancelled += 1);
    },
  };
  const heartbeat = createHeartbeat(clock, 30_000);
  const beats = Array.from({ length: 90 }, () => 0);
  const members = beats.map((_, index) => ({ beat: () => void (beats[index] = (beats[index] ?? 0) + 1) }));
  for (const member of members) heartbeat.add(member);
  tick();
  expect(beats.reduce((sum, one) => sum + one, 0)).toBe(3);
  for (let second = 1; second < 30; second += 1) tick();
  expect(beats.every((one) => one === 1)).toBe(true);
  for (const member of members.slice(1)) heartbeat.delete(member);
  for (let second = 0; second < 30; second += 1) tick();
  expect(beats.reduce((sum, one) => sum + one, 0)).toBe(91);
  expect(new Set(delays)).toEqual(new Set([1000]));
  heartbeat.stop();
  expect(cancelled).toBe(1);
});
