import { expect, it } from "vitest";
import { questionLengthOf, questionLimit } from "./exchange.ts";

it.each([
  ["a", 100_000, 0],
  ["a", 100_001, 1],
  ["茶", 83_000, 0],
  ["茶", 100_000, 16_668],
  ["😀", 62_000, 0],
  ["😀", 100_000, 37_501],
  ["\u0000", 41_000, 0],
  ["\u0000", 50_000, 8334],
])("a question of %j, %i times, is too long by %i characters", (letter, times, over) => {
  const used = questionLengthOf(letter.repeat(times));
  expect(Math.max(0, used - questionLimit.longest)).toBe(over);
});
