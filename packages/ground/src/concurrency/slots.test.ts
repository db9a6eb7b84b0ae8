import { expect, it } from "vitest";
import { createSlots } from "./slots.ts";

it("each key has as many open items as the limit says, and another one after a release, which counts once", () => {
  const slots = createSlots(2);
  const [first, second] = [slots.take("a"), slots.take("a")];
  expect([slots.take("a"), slots.take("b")]).toEqual([null, expect.any(Function)]);
  first?.();
  first?.();
  const third = slots.take("a");
  expect([third, slots.take("a")]).toEqual([expect.any(Function), null]);
  second?.();
  third?.();
  expect([slots.take("a"), slots.take("a"), slots.take("a")].map((release) => release === null)).toEqual([
    false,
    false,
    true,
  ]);
});
