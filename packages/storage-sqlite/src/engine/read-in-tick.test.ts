import { ticks } from "@telex/conformance/testing";
import { expect, it } from "vitest";
import { ReadInTick, ReadInTurn } from "./read-in-tick.ts";

it("a result of a tick is read again in the next one, and not before", async () => {
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

it("a row is read once for verbs in a row that keep it, and again after any other verb", () => {
  let verb = 1;
  let reads = 0;
  const turn = {
    get verb(): number {
      return verb;
    },
  };
  const inTurn = new ReadInTurn(turn, (key: string) => `${key}${(reads += 1)}`);
  const next = (key: string, isKept: boolean): string => {
    verb += 1;
    return inTurn.read(key, isKept);
  };
  expect([next("a", true), next("a", true), next("a", false), next("a", true)]).toEqual(["a1", "a1", "a1", "a2"]);
  expect([next("b", true), next("a", true)]).toEqual(["b3", "a4"]);
  verb += 1;
  expect(next("a", true)).toBe("a5");
});
