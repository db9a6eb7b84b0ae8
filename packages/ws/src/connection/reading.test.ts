import { ticks } from "@telex/conformance/testing";
import { expect, it } from "vitest";
import { createTurns } from "./reading.ts";

it("one connection has its turn in each tick, in the order in which they came", async () => {
  const turns = createTurns();
  const had: string[] = [];
  turns(() => {
    had.push("first");
    turns(() => had.push("first again"));
  });
  turns(() => had.push("second"));
  const hadIn: number[] = [];
  for (let tick = 0; tick < 4; tick += 1) {
    await ticks(1);
    hadIn.push(had.length);
  }
  expect(hadIn).toEqual([1, 2, 3, 3]);
  expect(had).toEqual(["first", "second", "first again"]);
});
