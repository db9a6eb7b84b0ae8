import { expect, it } from "vitest";
import { fc } from "test-support/property";
import { createLines } from "./lines.ts";

function linesOf(chunks: readonly Buffer[]): string[] {
  const lines: string[] = [];
  const read = createLines((line) => lines.push(line));
  for (const chunk of chunks) read(chunk);
  return lines;
}

it("gives the same lines wherever the stream is cut, also within a character", () => {
  const text = fc.array(fc.string({ unit: "grapheme" }).map((line) => line.replaceAll(/[\r\n]/g, " ")));
  const cuts = fc.array(fc.nat(40));
  fc.assert(
    fc.property(text, cuts, (lines, sizes) => {
      const all = Buffer.from(lines.map((line) => `${line}\n`).join(""));
      const chunks = [];
      let from = 0;
      for (const size of sizes) chunks.push(all.subarray(from, (from += size)));
      chunks.push(all.subarray(from));
      expect(linesOf(chunks)).toEqual(lines.map((line) => line.trim()).filter((line) => line !== ""));
    }),
  );
});

it("reads a long line that comes byte by byte", () => {
  const line = "ä".repeat(100_000);
  const bytes = Buffer.from(`${line}\nnext`);
  expect(linesOf(Array.from(bytes, (_, index) => bytes.subarray(index, index + 1)))).toEqual([line]);
});
