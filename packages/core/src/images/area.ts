import { createScale, weigh, type Scale, type Weights } from "./scale.ts";

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

/** Where the right edges of the cells of a line fall: behind `whole` pixels and `part` / columns of the next one. */
interface Edges {
  readonly whole: Int32Array;
  readonly part: Int32Array;
}

/**
 * Averages a picture over the cells of a grid, exactly. Pixels that lie wholly within a cell are summed without a weight;
 * only the pixel that an edge cuts is shared out. Sums stay below 2^53 for weights that add up to 1000 and up to 3.5e10
 * pixels.
 * @param columns cells per line, 1 or more; may exceed the width
 * @param rows lines, 1 or more; may exceed the height
 */
export function averageCells(pixels: Pixels, columns: number, rows: number, weights: Weights): Cells {
  const { data, width, height } = pixels;
  const scale = createScale(data, weights);
  const edges = edgesOf(width, columns);
  const line = new Float64Array(columns);
  const sums = new Float64Array(columns * rows);
  let cell = 0;
  let missing = height;
  for (let y = 0; y < height; y++) {
    sumLine(scale, 3 * width * y, edges, line);
    // One pixel is `rows` high and one cell `height`, in units of which both are whole.
    for (let left = rows; left > 0;) {
      const share = Math.min(left, missing);
      addLine(sums, cell * columns, line, share);
      left -= share;
      missing -= share;
      if (missing === 0) {
        cell++;
        missing = height;
      }
    }
  }
  return { sums, columns, rows, area: width * height };
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

/** Puts the sums of one line of pixels into `line`: a pixel is `columns` wide here, a cell `width`. */
function sumLine(scale: Scale, start: number, edges: Edges, line: Float64Array): void {
  const columns = line.length;
  let from = start;
  let given = 0;
  for (let i = 0; i < columns; i++) {
    const to = start + 3 * (edges.whole[i] ?? 0);
    const part = edges.part[i] ?? 0;
    const cut = part === 0 ? 0 : part * weigh(scale, to, to + 3);
    line[i] = columns * weigh(scale, from, to) + cut - given;
    // The next cell counts the cut pixel as a whole one: what this cell took of it comes off there.
    given = cut;
    from = to;
  }
}

function addLine(sums: Float64Array, at: number, line: Float64Array, share: number): void {
  for (let i = 0; i < line.length; i++) sums[at + i] = (sums[at + i] ?? 0) + share * (line[i] ?? 0);
}
