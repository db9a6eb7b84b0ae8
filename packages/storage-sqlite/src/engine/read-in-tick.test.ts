import { ticks } from "@telex/conformance/testing";
import { expect, it } from "vitest";
import { ReadInTick } from "./read-in-tick.ts";

it("what was read in a tick is read again in the next one, and not before", async () => {
  const stored = new Map([
    ["a", 1],
    ["b", 2],
  ]);
  const inTick = new ReadInTick((key: string) => stored.get(key) ?? null);
  expect(inTick.read("a")).toBe(1);
  stored.set("a", 3);
  await Promise.resolve();
  expect([inTick.read("a"), inTick.read("b")]).toEqual([1, 2]);
  await ticks();
  expect(inTick.read("a")).toBe(3);
});
