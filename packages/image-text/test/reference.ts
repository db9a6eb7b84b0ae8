import type { Pixels } from "../src/text/area.ts";
import type { TextOptions } from "@telex/files/images";

/**
 * Image to text as the interface specifies it (4.3), in integers of any size, without optimization. It shares
 * no code with the engine, so both must have the same fault to agree on a wrong result.
 */
export function referenceText(pixels: Pixels, { col, algo }: TextOptions): string {
  const rows = Math.max(1, Math.round((col * pixels.height) / pixels.width / 2));
  const cells = indices(rows).map((row) =>
    indices(col).map((column) => brightness(pixels, { column, row, col, rows })),
  );
  const lines = algo === "gray" ? grayLines(pixels, cells) : borderLines(cells);
  return lines.map((line) => `${line}\r\n`).join("");
}

const indices = (length: number): number[] => Array.from({ length }, (_, i) => i);

interface Cell {
  readonly column: number;
  readonly row: number;
  readonly col: number;
  readonly rows: number;
}

/** Y of a cell times 1000 times the area of a cell, which is width times height where a pixel is col by rows. */
function brightness({ data, width, height }: Pixels, { column, row, col, rows }: Cell): bigint {
  let sum = 0n;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const across = overlap(x * col, (x + 1) * col, column * width, (column + 1) * width);
      const down = overlap(y * rows, (y + 1) * rows, row * height, (row + 1) * height);
      if (across === 0 || down === 0) continue;
      const [red = 0, green = 0, blue = 0] = data.subarray(3 * (y * width + x));
      sum += BigInt(across) * BigInt(down) * BigInt(299 * red + 587 * green + 114 * blue);
    }
  }
  return sum;
}

const overlap = (a: number, b: number, c: number, d: number): number => Math.max(0, Math.min(b, d) - Math.max(a, c));

const characters = " ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-,%()+/:='?";

function grayLines({ width, height }: Pixels, cells: readonly (readonly bigint[])[]): string[] {
  const unit = 1000n * BigInt(width) * BigInt(height);
  return cells.map((line) => line.map((sum) => characters.charAt(Number((sum * 74n) / (256n * unit)))).join(""));
}

const kernel = [
  [-1n, 0n, 1n],
  [-2n, 0n, 2n],
  [-1n, 0n, 1n],
];

function borderLines(cells: readonly (readonly bigint[])[]): string[] {
  const squares = cells.map((line, row) => line.map((_, column) => squaredMagnitude(cells, row, column)));
  const max = squares.flat().reduce((a, b) => (a > b ? a : b), 0n);
  return squares.map((line) => line.map((square) => (49n * square > max ? "?" : " ")).join(""));
}

function squaredMagnitude(cells: readonly (readonly bigint[])[], row: number, column: number): bigint {
  let gx = 0n;
  let gy = 0n;
  for (const dy of [-1, 0, 1]) {
    for (const dx of [-1, 0, 1]) {
      const line = cells[clamp(row + dy, cells.length)] ?? [];
      const value = line[clamp(column + dx, line.length)] ?? 0n;
      gx += (kernel[dy + 1]?.[dx + 1] ?? 0n) * value;
      gy += (kernel[dx + 1]?.[dy + 1] ?? 0n) * value;
    }
  }
  return gx * gx + gy * gy;
}

const clamp = (i: number, length: number): number => Math.min(length - 1, Math.max(0, i));
