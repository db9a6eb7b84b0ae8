import { readFileSync } from "node:fs";
import { fc } from "test-support/property";
import { describe, expect, it } from "vitest";
import wabt from "wabt";
import { averageCells, createAveraging } from "../text/area.ts";
import { linesOf } from "../text/lines.ts";
import { luma } from "../text/weights.ts";
import { kernelCode } from "./code.ts";
import { createKernelSums } from "./sum-rows.ts";

describe("the kernel", () => {
  it("is what its source says (if not: node packages/core/scripts/kernel.ts)", async () => {
    const source = readFileSync(new URL("kernel.wat", import.meta.url), "utf8");
    const { buffer } = (await wabt()).parseWat("kernel.wat", source).toBinary({});
    expect(Buffer.from(buffer).toString("base64")).toBe(kernelCode);
  });

  it("gives the same cells as the sums in JavaScript, for any picture, grid and pieces of it", () => {
    const size = fc.record({ width: fc.integer({ min: 1, max: 90 }), height: fc.integer({ min: 1, max: 700 }) });
    const pictures = size.chain(({ width, height }) =>
      fc.uint8Array({ minLength: 3 * width, maxLength: 3 * width }).map((row) => {
        const data = Uint8Array.from({ length: 3 * width * height }, (_, i) => (row[i % row.length] ?? 0) ^ (i * 7));
        return { data, width, height };
      }),
    );
    const columns = fc.integer({ min: 1, max: 100 });
    const pieces = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(pictures, columns, pieces, ({ data, width, height }, col, rows) => {
        const grid = { width, height, columns: col, rows: linesOf(width, height, col) };
        const averaging = createAveraging(grid, luma, createKernelSums(3 * width));
        for (let y = 0, i = 0; y < height; i++) {
          const count = Math.min(rows[i % rows.length] ?? 1, height - y);
          averaging.add(data.subarray(3 * width * y, 3 * width * (y + count)));
          y += count;
        }
        const { sums, ...others } = averageCells({ data, width, height }, col, grid.rows, luma);
        expect(averaging.cells).toMatchObject(others);
        // There may be millions of them.
        expect(Buffer.from(averaging.cells.sums.buffer).equals(Buffer.from(sums.buffer))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it("sums 256 white rows without an overflow", () => {
    const sums = createKernelSums(33).sum(new Uint8Array(33 * 256).fill(255), 0, 256);
    expect([...sums]).toEqual(Array.from({ length: 33 }, () => 65_280));
  });
});
