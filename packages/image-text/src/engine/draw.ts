import { createAveraging, type Grid, type Pixels } from "../text/area.ts";
import type { TextOptions } from "@telex/files/images";
import { createKernel } from "../kernel/kernel.ts";
import { createKernelSums, sumsIn } from "../kernel/sum-rows.ts";
import { linesOf } from "../text/lines.ts";
import { inflate } from "../png/inflate.ts";
import type { PlainPng } from "../png/plain-png.ts";
import { createRows } from "../png/rows.ts";
import { isForKernel } from "../text/rows.ts";
import { textOf, textOfCells } from "../text/text.ts";
import { luma } from "../text/weights.ts";

const gridOf = (width: number, height: number, columns: number): Grid => ({
  width,
  height,
  columns,
  rows: linesOf(width, height, columns),
});

/** A decoded picture as text, like `textOf`; large ones are averaged in the kernel. */
export function drawPixels(pixels: Pixels, options: TextOptions): string {
  if (!isForKernel(pixels)) return textOf(pixels, options);
  const { width, height, data } = pixels;
  const averaging = createAveraging(gridOf(width, height, options.col), luma, createKernelSums(3 * width));
  averaging.add(data);
  return textOfCells(averaging.cells, options.algo);
}

/** Bytes of rows that are unfiltered before they are averaged, and of filtered rows that wait. */
const rowBytes = 262_144;

/** Unpacks the data of a picture into `rows`. False if they are damaged. */
async function isUnpacked(data: PlainPng["data"], rows: ReturnType<typeof createRows>): Promise<boolean> {
  try {
    await inflate(data, (chunk) => rows.add(chunk));
    return true;
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  }
}

/**
 * The text of a plain PNG, without keeping its pixels.
 * @returns null for a damaged picture, which is left to sharp
 */
export async function drawPlainPng(png: PlainPng, options: TextOptions): Promise<string | null> {
  const { width, height } = png;
  const length = 3 * width;
  const most = Math.max(1, Math.floor(rowBytes / length));
  const input = Math.max(rowBytes, length + 1);
  const kernel = createKernel([2 * length, length, input, (most + 1) * length]);
  const [sums = 0, row = 0, from = 0, to = 0] = kernel.areas;
  const averaging = createAveraging(gridOf(width, height, options.col), luma, sumsIn(kernel, { length, sums, row }));
  const rows = createRows(kernel, { from, input, to, most }, png, (some) => averaging.add(some));
  return (await isUnpacked(png.data, rows)) && rows.end() ? textOfCells(averaging.cells, options.algo) : null;
}

/** True for the errors of zlib and of the rows about damaged data. */
const isDamage = (error: unknown): boolean =>
  error instanceof RangeError ||
  (error instanceof Error && "code" in error && typeof error.code === "string" && error.code.startsWith("Z_"));
