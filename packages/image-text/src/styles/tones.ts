import { averageCells, type Pixels } from "../text/area.ts";
import { luma, type Weights } from "../text/weights.ts";

/** One value for each cell of a grid, row by row. */
export interface Grid {
  readonly values: Float64Array;
  readonly columns: number;
  readonly rows: number;
}

/** Red, green and blue, each 0-255. */
export type Colour = readonly [red: number, green: number, blue: number];

/** The colours of a picture by cell, row by row. */
export interface ColourGrid {
  readonly at: (cell: number) => Colour;
}

/**
 * Brightness of a picture by cell, 0-1. The range is stretched so that all but the darkest and the brightest hundredth fills
 * it, and edges are sharpened, because few cells have to show them.
 */
export function tonesOf(pixels: Pixels, columns: number, rows: number): Grid {
  const { sums, area } = averageCells(pixels, columns, rows, luma);
  const values = sums.map((sum) => sum / (area * 255_000));
  return { values: sharpen({ values: stretchRange(values), columns, rows }), columns, rows };
}

/** The share of its difference from its surroundings that is added to a cell. */
const sharpness = 0.8;

function sharpen(grid: Grid): Float64Array {
  return grid.values.map((value, i) => clamp(value + sharpness * (value - surroundings(grid, i))));
}

/** The mean of the 5 by 5 cells around one; the outermost cells are repeated beyond the edge. */
function surroundings({ values, columns, rows }: Grid, cell: number): number {
  const row = Math.floor(cell / columns);
  const column = cell - row * columns;
  let sum = 0;
  for (let y = row - 2; y <= row + 2; y++) {
    const line = Math.min(rows - 1, Math.max(0, y)) * columns;
    for (let x = column - 2; x <= column + 2; x++) sum += values[line + Math.min(columns - 1, Math.max(0, x))] ?? 0;
  }
  return sum / 25;
}

/** Smallest range of brightness that is stretched: below it a picture is meant to be plain. */
const plainRange = 0.1;

function stretchRange(values: Float64Array): Float64Array {
  const sorted = values.toSorted();
  const low = sorted[Math.floor(0.01 * (sorted.length - 1))] ?? 0;
  const high = sorted[Math.ceil(0.99 * (sorted.length - 1))] ?? 1;
  const [from, range] = high - low < plainRange ? [0, 1] : [low, high - low];
  return values.map((value) => clamp((value - from) / range));
}

const clamp = (value: number): number => Math.min(1, Math.max(0, value));

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
  return { at: (cell) => [red[cell] ?? 0, green[cell] ?? 0, blue[cell] ?? 0] };
}

/** A colour for ink that covers only a part of its cell: brighter, but of the same hue. */
export function vivid(colour: Colour): Colour {
  const brightest = Math.max(...colour, 1);
  const factor = Math.sqrt(255 / brightest);
  return [colour[0] * factor, colour[1] * factor, colour[2] * factor];
}
