import { averageCells, luma, type Pixels, type Weights } from "./area.ts";

/** One value for each cell of a grid, row by row. */
export interface Grid {
  readonly values: Float64Array;
  readonly columns: number;
  readonly rows: number;
}

/** Red, green and blue, each 0-255. */
export type Colour = readonly [red: number, green: number, blue: number];

/** The colours of a picture, by cell. */
export interface ColourGrid {
  at(column: number, row: number): Colour;
}

/** Brightness of a picture by cell, 0-1, stretched so that all but the darkest and brightest hundredth fills the range. */
export function tonesOf(pixels: Pixels, columns: number, rows: number): Grid {
  const { sums, area } = averageCells(pixels, columns, rows, luma);
  return { values: stretch(sums.map((sum) => sum / (area * 255_000))), columns, rows };
}

/** Smallest range of brightness that is stretched: below it a picture is meant to be plain. */
const plainRange = 0.1;

function stretch(values: Float64Array): Float64Array {
  const sorted = values.toSorted();
  const low = sorted[Math.floor(0.01 * (sorted.length - 1))] ?? 0;
  const high = sorted[Math.ceil(0.99 * (sorted.length - 1))] ?? 1;
  if (high - low < plainRange) return values;
  return values.map((value) => Math.min(1, Math.max(0, (value - low) / (high - low))));
}

const channels: readonly Weights[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** The average colours of a picture by cell. */
export function coloursOf(pixels: Pixels, columns: number, rows: number): ColourGrid {
  const [red = [], green = [], blue = []] = channels.map((channel) => {
    const { sums, area } = averageCells(pixels, columns, rows, channel);
    return sums.map((sum) => sum / area);
  });
  return {
    at(column, row) {
      const i = row * columns + column;
      return [red[i] ?? 0, green[i] ?? 0, blue[i] ?? 0];
    },
  };
}
