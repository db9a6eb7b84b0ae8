import { expect, it } from "vitest";
import { createChanges } from "./changes.ts";
import { createGate } from "../engine/gate.ts";

const minute = 60_000;

function createFeed() {
  const clock = { time: 0, now: () => clock.time, after: () => () => {} };
  return { clock, ...createChanges(createGate().verb, clock) };
}

it("keeps the changes of an hour", async () => {
  const { clock, feed, report } = createFeed();
  for (let count = 0; count < 5000; count += 1) {
    clock.time = (count * 59 * minute) / 5000;
    report("user", count);
  }
  const [first] = (await feed.since(0)) ?? [];
  expect(first).toEqual({ seq: 1, kind: "user", key: "0" });
});

it("forgets changes older than an hour, and lists the others", async () => {
  const { clock, feed, report } = createFeed();
  for (let count = 0; count < 5000; count += 1) report("user", count);
  clock.time = 61 * minute;
  for (let count = 5000; count < 7000; count += 1) report("user", count);
  expect(await feed.since(0)).toBeNull();
  const [first] = (await feed.since(5000)) ?? [];
  expect(first?.key).toBe("5000");
  expect(await feed.latest()).toBe(7000);
  expect((await feed.since(6999))?.map(({ key }) => key)).toEqual(["6999"]);
  expect(await feed.since(7000)).toEqual([]);
});
