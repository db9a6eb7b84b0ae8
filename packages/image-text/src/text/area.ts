import { createRowSums, type RowSums } from "./rows.ts";
import type { Weights } from "./weights.ts";

/** A decoded picture: three bytes of 8-bit sRGB per pixel, row by row from the top left, without padding. */
export interface Pixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/**
 * The picture as a grid of cells, row by row. `sums` holds per cell the sum over its area of the weighted channels, where
 * one pixel has the area `columns * rows`, so that every value is a whole number: the exact average of a cell is its sum
 * divided by `area`, the area of a cell, which is `width * height`.
 */
export interface Cells {
  readonly sums: Float64Array;
  readonly columns: number;
  readonly rows: number;
  readonly area: number;
}

/** A picture and the grid of cells that it is averaged over. */
export interface Grid {
  /** Pixels from left to right. */
  readonly width: number;
  /** Pixels from top to bottom. */
  readonly height: number;
  /** Cells per line, 1 or more; may exceed the width. */
  readonly columns: number;
  /** Lines, 1 or more; may exceed the height. */
  readonly rows: number;
}

/** Averages a picture that comes in pieces. */
interface Averaging {
  /** The sums of the cells, complete when every row was added. */
  readonly cells: Cells;
  /** Adds the next rows of the picture: whole ones, as in {@link Pixels}. */
  add(rows: Uint8Array): void;
}

/** Averages a picture over the cells of a grid, as {@link createAveraging} does. */
export function averageCells({ data, width, height }: Pixels, columns: number, rows: number, weights: Weights): Cells {
  const averaging = createAveraging({ width, height, columns, rows }, weights, createRowSums(3 * width));
  averaging.add(data);
  return averaging.cells;
}

/**
 * Averages a picture over the cells of a grid, exactly. Rows that lie wholly within a cell are summed byte by byte, and only
 * their sums are divided among the cells of a line; only the pixels and rows that an edge cuts are shared out. Sums stay
 * below 2^53 for weights that add up to 1000 and up to 3.5e10 pixels.
 * @param rowSums sums rows of `3 * width` bytes
 */
export function createAveraging(grid: Grid, weights: Weights, rowSums: RowSums): Averaging {
  const { width, height, columns, rows } = grid;
  const edges = edgesOf(width, columns);
  const line = new Float64Array(columns);
  const lines = createLines(grid);
  const addSome = (data: Uint8Array, y: number, most: number): number => {
    const whole = Math.min(lines.wholeRows(), most, rowSums.most);
    const count = Math.max(whole, 1);
    sumLine({ sums: rowSums.sum(data, 3 * width * y, count), weights }, edges, line);
    if (whole === 0) lines.shareOut(line);
    else lines.give(line, rows, whole);
    return count;
  };
  return {
    cells: { sums: lines.sums, columns, rows, area: width * height },
    add(data) {
      const count = data.byteLength / (3 * width);
      for (let y = 0; y < count;) y += addSome(data, y, count - y);
    },
  };
}

/** The sums of all cells, filled from top to bottom. One pixel is `rows` high here and one cell `height`. */
function createLines({ height, columns, rows }: Grid) {
  const sums = new Float64Array(columns * rows);
  let first = 0;
  let missing = height;
  const give = (line: Float64Array, share: number, count: number): void => {
    for (let i = 0; i < columns; i++) sums[first + i] = (sums[first + i] ?? 0) + share * (line[i] ?? 0);
    missing -= share * count;
    if (missing > 0) return;
    first += columns;
    missing = height;
  };
  return {
    sums,
    /** The number of whole rows that the current line of cells takes. */
    wholeRows: () => Math.floor(missing / rows),
    /** Adds `share` of the height of each of `count` rows, whose sum is `line`, to the current line of cells. */
    give,
    /** Adds one row that an edge cuts. */
    shareOut(line: Float64Array): void {
      for (let left = rows; left > 0;) {
        const share = Math.min(left, missing);
        left -= share;
        give(line, share, 1);
      }
    },
  };
}

/** The right edges of the cells of a line: after `whole` pixels and `part` / columns of the next one. */
interface Edges {
  readonly whole: Int32Array;
  readonly part: Int32Array;
}

function edgesOf(width: number, columns: number): Edges {
  const edges: Edges = { whole: new Int32Array(columns), part: new Int32Array(columns) };
  for (let i = 0; i < columns; i++) {
    const edge = (i + 1) * width;
    edges.part[i] = edge % columns;
    edges.whole[i] = Math.floor(edge / columns);
  }
  return edges;
}

/** A row of pixels, three sums each, and what each channel weighs. */
interface Row {
  readonly sums: Uint16Array | Uint8Array;
  readonly weights: Weights;
}

/** Puts the sums of one row of pixels into `line`: a pixel is `columns` wide here, a cell `width`. */
function sumLine(row: Row, edges: Edges, line: Float64Array): void {
  const columns = line.length;
  let from = 0;
  let assigned = 0;
  for (let i = 0; i < columns; i++) {
    const to = edges.whole[i] ?? 0;
    const part = edges.part[i] ?? 0;
    const cut = part === 0 ? 0 : part * weigh(row, to, to + 1);
    line[i] = columns * weigh(row, from, to) + cut - assigned;
    // The next cell counts the cut pixel as a whole one, so the part that this cell took is subtracted there.
    assigned = cut;
    from = to;
  }
}

/** The weighted sum of the pixels between two. */
function weigh({ sums, weights }: Row, from: number, to: number): number {
  let sum = 0;
  for (let at = 3 * from; at < 3 * to; at += 3) {
    sum += weights[0] * (sums[at] ?? 0) + weights[1] * (sums[at + 1] ?? 0) + weights[2] * (sums[at + 2] ?? 0);
  }
  return sum;
}
