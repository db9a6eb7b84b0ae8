import { describe, expect, it } from "vitest";
import type { Cells } from "./area.ts";
import { borderCodes } from "./border.ts";

/** One line of cells: its gradient is four times the difference of the neighbours. */
const line = (...sums: number[]): Cells => ({
  sums: Float64Array.from(sums),
  columns: sums.length,
  rows: 1,
  area: 50_000_000,
});
const text = (cells: Cells): string => Buffer.from(borderCodes(cells)).toString("latin1");

describe("edges of cells with large sums, whose squares no double holds", () => {
  // In doubles, 49 times the square of this comes out greater than the square of seven times this.
  const step = 1_234_567_890_123;

  it("are none where they are exactly a seventh of the strongest one", () => {
    expect(text(line(0, 0, 7 * step, 7 * step, 7 * step, 8 * step, 8 * step))).toBe(" ??    ");
  });

  it("are edges where they are the least bit stronger", () => {
    expect(text(line(0, 0, 7 * step, 7 * step, 7 * step, 8 * step + 1, 8 * step + 1))).toBe(" ?? ?? ");
  });
});
