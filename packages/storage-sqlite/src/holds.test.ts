import { describe, expect, it } from "vitest";
import { Holds } from "./holds.ts";

const hold = (holder: string, until: number) => ({ holder, until });

describe("holds", () => {
  it("says behind which message a search for free ones begins", () => {
    const holds = new Holds();
    expect(holds.frontier("a", 0)).toBe(0);
    holds.take("a", [1, 2, 5], hold("x", 100));
    expect(holds.frontier("a", 99)).toBe(5);
    expect(holds.frontier("b", 99)).toBe(0);
  });

  it("begins at the oldest again when a hold is over or given back", () => {
    const holds = new Holds();
    holds.take("a", [1, 2], hold("x", 100));
    holds.take("a", [3], hold("y", 50));
    expect(holds.frontier("a", 50)).toBe(0);
    expect([1, 2, 3].filter((id) => holds.isFree("a", id, 50))).toEqual([3]);
    holds.take("a", [3], hold("z", 200));
    expect(holds.frontier("a", 60)).toBe(3);
    holds.release("a", "x");
    expect(holds.frontier("a", 60)).toBe(0);
    expect([1, 2, 3].filter((id) => holds.isFree("a", id, 60))).toEqual([1, 2]);
  });

  it("leaves a hold that is over with its holder until somebody else takes the message", () => {
    const holds = new Holds();
    holds.take("a", [1], hold("x", 10));
    expect(holds.isHeldBy("a", 1, "x")).toBe(true);
    holds.take("a", [1], hold("y", 30));
    expect([holds.isHeldBy("a", 1, "x"), holds.isHeldBy("a", 1, "y")]).toEqual([false, true]);
  });

  it("releases only what the holder holds", () => {
    const holds = new Holds();
    holds.take("a", [1, 2], hold("x", 10));
    holds.take("a", [3], hold("y", 10));
    holds.release("a", "y");
    expect([1, 2, 3].map((id) => holds.isFree("a", id, 0))).toEqual([false, false, true]);
    holds.release("a", "x", [1, 3]);
    expect([1, 2, 3].map((id) => holds.isFree("a", id, 0))).toEqual([false, true, true]);
    holds.forget("a");
    expect(holds.isFree("a", 1, 0)).toBe(true);
  });
});
