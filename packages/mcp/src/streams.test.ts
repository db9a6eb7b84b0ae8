import { expect, it } from "vitest";
import { createStreams } from "./streams.ts";

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

it("a user has 10 open subscriptions, all users together have 1,000, and each that ends makes room for another", () => {
  const streams = createStreams();
  const ofFirst = upTo(10).map(() => streams.take(0));
  expect([ofFirst.includes(null), streams.take(0)]).toEqual([false, null]);
  const ofOthers = upTo(990).map((index) => streams.take(1 + Math.floor(index / 10)));
  expect([ofOthers.includes(null), streams.take(100)]).toEqual([false, null]);
  ofFirst[0]?.();
  const another = streams.take(100);
  expect([another === null, streams.take(100)]).toEqual([false, null]);
  another?.();
  expect([streams.take(0) === null, streams.take(0)]).toEqual([false, null]);
});
