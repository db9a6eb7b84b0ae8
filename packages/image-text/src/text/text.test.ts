import { fc } from "test-support/property";
import { describe, expect, it } from "vitest";
import { referenceText } from "../../test/reference.ts";
import type { Pixels } from "./area.ts";
import { charset } from "./charset.ts";
import { columnsWithin, linesOf } from "./lines.ts";
import { textOf } from "./text.ts";

const picture = (maxWidth: number, maxHeight: number): fc.Arbitrary<Pixels> =>
  fc
    .record({ width: fc.integer({ min: 1, max: maxWidth }), height: fc.integer({ min: 1, max: maxHeight }) })
    .chain(({ width, height }) =>
      fc
        .uint8Array({ minLength: 3 * width * height, maxLength: 3 * width * height, size: "max" })
        .map((data) => ({ data, width, height })),
    );

/** Few tones and straight edges: many gradients are equal, or in simple ratios. */
const drawing = fc
  .record({
    width: fc.integer({ min: 1, max: 24 }),
    height: fc.integer({ min: 1, max: 24 }),
    tones: fc.array(fc.constantFrom(0, 1, 7, 8, 36, 252, 255), { minLength: 1, maxLength: 4 }),
    stripe: fc.integer({ min: 1, max: 5 }),
  })
  .map(({ width, height, tones, stripe }) =>
    painted(
      width,
      height,
      (x, y) => tones[(Math.floor(x / stripe) + Math.floor(y / (2 * stripe))) % tones.length] ?? 0,
    ),
  );

function painted(width: number, height: number, tone: (x: number, y: number) => number): Pixels {
  const data = new Uint8Array(3 * width * height);
  for (let i = 0; i < width * height; i++) data.fill(tone(i % width, Math.floor(i / width)), 3 * i, 3 * i + 3);
  return { data, width, height };
}

/** Columns of one tone each, two pixels high, so that a cell is a column and its gradient 4 (right - left). */
const columns = (...tones: number[]): Pixels => painted(tones.length, 2, (x) => tones[x] ?? 0);

describe("the text of a picture", () => {
  it.each(["gray", "border"] as const)("is, by %s, what exact arithmetic says for any picture and width", (algo) => {
    fc.assert(
      fc.property(fc.oneof(picture(16, 16), drawing), fc.integer({ min: 1, max: 40 }), (pixels, col) => {
        expect(textOf(pixels, { col, algo })).toBe(referenceText(pixels, { col, algo }));
      }),
      { numRuns: 300 },
    );
  });

  it("is exact for pictures much wider or taller than the text", () => {
    const strip = fc.oneof(picture(700, 2), picture(2, 100));
    fc.assert(
      fc.property(strip, fc.integer({ min: 1, max: 5 }), (pixels, col) => {
        expect(textOf(pixels, { col, algo: "gray" })).toBe(referenceText(pixels, { col, algo: "gray" }));
      }),
      { numRuns: 40 },
    );
  });

  it("does not overflow where one cell holds many bright pixels", () => {
    const white = painted(20_000, 3, () => 255);
    expect(textOf(white, { col: 1, algo: "gray" })).toBe("?\r\n");
  });

  it("is exact for pictures that are too wide to be summed row by row", () => {
    const halves = painted(360_000, 2, (x) => (x < 180_000 ? 0 : 255));
    expect(textOf(halves, { col: 2, algo: "gray" })).toBe(" ?\r\n");
  });

  it.each([
    [[255, 0, 0], 22],
    [[0, 255, 0], 43],
    [[0, 0, 255], 8],
    [[128, 128, 128], 37],
    [[127, 127, 127], 36],
    [[0, 0, 0], 0],
    [[255, 255, 255], 73],
  ])("shows the colour %j as level %i of 74", (colour, level) => {
    const pixels = { data: Uint8Array.from(colour), width: 1, height: 1 };
    expect(textOf(pixels, { col: 1, algo: "gray" })).toBe(`${charset[level]}\r\n`);
  });

  it("is half as many lines as the picture has in proportion, a half rounded up, but at least one", () => {
    expect(linesOf(100, 100, 69)).toBe(35);
    expect(linesOf(4000, 3000, 69)).toBe(26);
    expect(linesOf(200, 1, 200)).toBe(1);
    expect(linesOf(50_000, 1, 1)).toBe(1);
    expect(linesOf(1, 50_000_000, 200)).toBe(5_000_000_000);
  });

  it("ends every line with CRLF", () => {
    const text = textOf(
      painted(4, 4, () => 255),
      { col: 4, algo: "gray" },
    );
    expect(text).toBe("????\r\n????\r\n");
  });
});

describe("the border of a picture", () => {
  it("shows no edge that is exactly a seventh of the strongest one", () => {
    expect(textOf(columns(0, 0, 70, 70, 70, 80, 80), { col: 7, algo: "border" })).toBe(" ??    \r\n");
  });

  it("shows an edge that is just above a seventh of the strongest one", () => {
    expect(textOf(columns(0, 0, 69, 69, 69, 79, 79), { col: 7, algo: "border" })).toBe(" ?? ?? \r\n");
  });

  it("is blank where the picture has one tone only", () => {
    expect(textOf(columns(200, 200, 200), { col: 3, algo: "border" })).toBe("   \r\n");
  });
});

describe("the columns that fit", () => {
  it("are the most whose lines are no more than there is room for", () => {
    for (const [width, height] of [
      [100, 100],
      [4000, 3000],
      [3, 7],
      [1, 1000],
      [1000, 1],
    ] as const) {
      for (const rows of [1, 5, 23, 50]) {
        const fitting = columnsWithin({ width, height }, { columns: 120, rows });
        expect(fitting).toBeGreaterThanOrEqual(1);
        expect(fitting).toBeLessThanOrEqual(120);
        if (fitting > 1) expect(linesOf(width, height, fitting)).toBeLessThanOrEqual(rows);
        if (fitting < 120) expect(linesOf(width, height, fitting + 1)).toBeGreaterThan(rows);
      }
    }
  });
});
