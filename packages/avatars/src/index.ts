import { createHash } from "node:crypto";
import { centres, corners, edges, type Ornament, quietEdges } from "./ornaments.ts";
import { type Colour, type Palette, palettes } from "./palettes.ts";

/** The colours of a picture, and the ornaments in the cells of a quarter of it. */
interface Design {
  readonly palette: Palette;
  /** Cells from the rim to the middle. */
  readonly rings: number;
  /** By row and column, counted from the rim. Only those with `column >= row` are used. The others are their mirror image. */
  readonly cells: readonly (readonly Ornament[])[];
}

/** Chooses by the digest of a seed, one byte for each choice, so that the same seed makes the same choices. */
function chooser(seed: string): <T>(list: readonly [T, ...T[]]) => T {
  const bytes = createHash("sha256").update(seed).digest().values();
  return (list) => list[(bytes.next().value ?? 0) % list.length] ?? list[0];
}

function designOf(seed: string, rings: 2 | 3): Design {
  const choose = chooser(seed);
  const palette = choose(palettes);
  const indices = Array.from({ length: rings }, (_, index) => index);
  const cellAt = (column: number, row: number): Ornament => {
    if (column !== row) return choose(rings === 3 ? quietEdges : edges);
    return choose(column === rings - 1 ? centres : corners);
  };
  return { palette, rings, cells: indices.map((row) => indices.map((column) => cellAt(column, row))) };
}

const mix = (from: number, to: number, share: number): number => from + (to - from) * share;

const blend = (under: Colour, over: Colour, share: number): Colour => [
  mix(under[0], over[0], share),
  mix(under[1], over[1], share),
  mix(under[2], over[2], share),
];

/** The colour of a point `x` and `y` cells away from the rim; a cell has `scale` pixels a side. */
function colourAt({ palette, rings, cells }: Design, x: number, y: number, scale: number): Colour {
  const column = Math.min(rings - 1, Math.floor(x));
  const row = Math.min(rings - 1, Math.floor(y));
  let colour = palette.ground;
  for (const layer of cells[row]?.[column] ?? []) {
    // A border is as wide as a pixel, with half of it on each side.
    const share = 0.5 - layer.shape(x - column, y - row) * scale;
    if (share >= 1) colour = palette[layer.colour];
    else if (share > 0) colour = blend(colour, palette[layer.colour], share);
  }
  return colour;
}

/** Completes a picture whose upper left quarter is drawn. */
function mirrorQuarter(rgb: Uint8Array, side: number, half: number): void {
  const row = 3 * side;
  for (let y = 0; y < half; y += 1) {
    for (let x = half; x < side; x += 1) {
      const from = y * row + 3 * (side - 1 - x);
      rgb.copyWithin(y * row + 3 * x, from, from + 3);
    }
    rgb.copyWithin((side - 1 - y) * row, y * row, (y + 1) * row);
  }
}

/**
 * Draws an ornament: the same picture for the same seed on every machine.
 * @param seed any text, such as the id of a person
 * @param side pixels, at least 1
 * @param rings cells from the rim to the middle: 3 is a finer pattern than 2, so that rooms and people differ at a glance
 * @returns `side * side` pixels of three bytes (red, green, blue), row by row
 */
export function drawAvatar(seed: string, side: number, rings: 2 | 3 = 2): Uint8Array {
  const rgb = new Uint8Array(3 * side * side);
  const design = designOf(seed, rings);
  const scale = side / 2 / design.rings;
  const half = Math.ceil(side / 2);
  const put = (x: number, y: number, [red, green, blue]: Colour): void => {
    const start = 3 * (y * side + x);
    rgb[start] = Math.round(red);
    rgb[start + 1] = Math.round(green);
    rgb[start + 2] = Math.round(blue);
  };
  for (let y = 0; y < half; y += 1) {
    for (let x = y; x < half; x += 1) {
      const colour = colourAt(design, (x + 0.5) / scale, (y + 0.5) / scale, scale);
      put(x, y, colour);
      put(y, x, colour);
    }
  }
  mirrorQuarter(rgb, side, half);
  return rgb;
}
