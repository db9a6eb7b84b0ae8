/** A decoded picture: three bytes of 8-bit sRGB per pixel, row by row from the top left, without padding. */
export interface Pixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Whole-number weights of red, green and blue. */
export type Weights = readonly [red: number, green: number, blue: number];

/** 0.299, 0.587 and 0.114 in thousandths (interface 4.3). */
export const luma: Weights = [299, 587, 114];

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
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const edges = edgesOf(width, columns);
  const line = new Float64Array(columns);
  const sums = new Float64Array(columns * rows);
  let cell = 0;
  let missing = height;
  for (let y = 0; y < height; y++) {
    sumLine(view, 3 * width * y, edges, weights, line);
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
function sumLine(view: DataView, start: number, edges: Edges, weights: Weights, line: Float64Array): void {
  const columns = line.length;
  let from = start;
  let given = 0;
  for (let i = 0; i < columns; i++) {
    const to = start + 3 * (edges.whole[i] ?? 0);
    const part = edges.part[i] ?? 0;
    const cut = part === 0 ? 0 : part * weighPixels(view, to, to + 3, weights);
    line[i] = columns * weighPixels(view, from, to, weights) + cut - given;
    // The next cell counts the cut pixel as a whole one: what this cell took of it comes off there.
    given = cut;
    from = to;
  }
}

/** Bytes after which the 16-bit lanes of {@link weighPixels} are emptied: 128 steps, so that they stay below 2^31. */
const laneBytes = 128 * 12;

/** The weighted sum of the pixels between two offsets. Four pixels, three words, at a time: two channels share a word. */
function weighPixels(view: DataView, from: number, to: number, weights: Weights): number {
  let red = 0;
  let green = 0;
  let blue = 0;
  let at = from;
  const grouped = to - ((to - from) % 12);
  while (at < grouped) {
    const stop = Math.min(grouped, at + laneBytes);
    // The lanes of the three words, low half first: blue 0 red 0, red 1 green 0, red 2 green 1, and so on.
    let b0r0 = 0;
    let r1g0 = 0;
    let r2g1 = 0;
    let g2b1 = 0;
    let g3b2 = 0;
    let b3r3 = 0;
    for (; at < stop; at += 12) {
      const first = view.getUint32(at, true);
      const second = view.getUint32(at + 4, true);
      const third = view.getUint32(at + 8, true);
      b0r0 += first & 0xff00ff;
      r1g0 += (first >>> 8) & 0xff00ff;
      r2g1 += second & 0xff00ff;
      g2b1 += (second >>> 8) & 0xff00ff;
      g3b2 += third & 0xff00ff;
      b3r3 += (third >>> 8) & 0xff00ff;
    }
    red += (b0r0 & 0xffff) + (r1g0 >>> 16) + (r2g1 >>> 16) + (b3r3 & 0xffff);
    green += (r1g0 & 0xffff) + (r2g1 & 0xffff) + (g2b1 >>> 16) + (g3b2 >>> 16);
    blue += (b0r0 >>> 16) + (g2b1 & 0xffff) + (g3b2 & 0xffff) + (b3r3 >>> 16);
  }
  for (; at < to; at += 3) {
    red += view.getUint8(at);
    green += view.getUint8(at + 1);
    blue += view.getUint8(at + 2);
  }
  return weights[0] * red + weights[1] * green + weights[2] * blue;
}

function addLine(sums: Float64Array, at: number, line: Float64Array, share: number): void {
  for (let i = 0; i < line.length; i++) sums[at + i] = (sums[at + i] ?? 0) + share * (line[i] ?? 0);
}
