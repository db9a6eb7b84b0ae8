import { dither } from "./dither.ts";
import type { Glyph } from "./paint.ts";
import type { Colour, ColourGrid, Grid } from "./tones.ts";

/** Characters whose inked quarters are the bits of their place: 1 top left, 2 top right, 4 bottom left, 8 bottom right. */
const quarters = Array.from(" ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█");

/** Characters inked evenly, from a quarter to three quarters. */
const shades = Array.from("░▒▓");

type Four<T> = readonly [T, T, T, T];

/** The values of the four quarters of a cell, in the order of the bits of {@link quarters}. */
function quartersOf<T>(columns: number, cell: number, at: (i: number) => T): Four<T> {
  const row = Math.floor(cell / columns);
  const first = row * 4 * columns + 2 * (cell - row * columns);
  const below = first + 2 * columns;
  return [at(first), at(first + 1), at(below), at(below + 1)];
}

/**
 * Quarters and shades in one colour: quarters for a cell with an edge, otherwise the nearest shade.
 * @param tones of the quarters: two per column and two per line of text
 */
export function plainBlocks(tones: Grid): Glyph[] {
  const columns = tones.columns / 2;
  const rows = tones.rows / 2;
  const cells = Array.from({ length: columns * rows }, (_, i) => quartersOf(columns, i, (at) => tones.values[at] ?? 0));
  const means = Float64Array.from(cells, mean);
  const glyphs: Glyph[] = Array.from({ length: cells.length }, () => ({ text: " " }));
  dither({ values: means, columns, rows }, (at, wanted) => {
    const shift = wanted - (means[at] ?? 0);
    const nearest = nearestBlock((cells[at] ?? [0, 0, 0, 0]).map((tone) => tone + shift));
    glyphs[at] = { text: nearest.text };
    return nearest.tone;
  });
  return glyphs;
}

function nearestBlock(tones: readonly number[]): { text: string; tone: number } {
  const inked = tones.map((tone) => (tone < 0.5 ? 0 : 1));
  const level = Math.min(3, Math.max(1, Math.round(4 * mean(tones))));
  const even = tones.map(() => level / 4);
  return distance(tones, even) < distance(tones, inked)
    ? { text: shades[level - 1] ?? " ", tone: level / 4 }
    : { text: quarters[bitsOf(inked)] ?? " ", tone: mean(inked) };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const bitsOf = (inked: readonly number[]): number => inked.reduce((bits, bit, i) => bits | (bit << i), 0);

const distance = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, i) => sum + (value - (b[i] ?? 0)) ** 2, 0);

/**
 * Quarters in two colours per cell: of the eight ways to divide four quarters, the one that loses least.
 * @param colours of the quarters: two per column and two per line of text
 */
export function colourBlocks(colours: ColourGrid, columns: number, rows: number): Glyph[] {
  return Array.from({ length: columns * rows }, (_, cell) => nearestParting(quartersOf(columns, cell, colours.at)));
}

/** The top left quarter is always paper, since ink and paper can change places. */
const partings = quarters.map((text, bits) => ({ text, bits })).filter(({ bits }) => bits % 2 === 0);

/** The colours of both parts of a cell, and how much the cell loses with them. */
function partedBy(bits: number, cell: Four<Colour>) {
  const inked = cell.filter((_, i) => ((bits >> i) & 1) === 1);
  const bare = cell.filter((_, i) => ((bits >> i) & 1) === 0);
  const [ink, paper] = [meanColour(inked), meanColour(bare)];
  return { ink, paper, loss: lossOf(inked, ink) + lossOf(bare, paper) };
}

function nearestParting(cell: Four<Colour>): Glyph {
  let best: Glyph = { text: " " };
  let least = Number.POSITIVE_INFINITY;
  for (const { text, bits } of partings) {
    const { ink, paper, loss } = partedBy(bits, cell);
    // A cell of one colour needs no ink. Neither does a difference as small as a rounding error.
    if (loss < least - 1e-9) {
      least = loss;
      best = bits === 0 ? { text, paper } : { text, ink, paper };
    }
  }
  return best;
}

const meanColour = (colours: readonly Colour[]): Colour => {
  const channel = (i: 0 | 1 | 2): number =>
    colours.reduce((sum, colour) => sum + colour[i], 0) / Math.max(1, colours.length);
  return [channel(0), channel(1), channel(2)];
};

const lossOf = (colours: readonly Colour[], shown: Colour): number =>
  colours.reduce((sum, colour) => sum + distance(colour, shown), 0);
