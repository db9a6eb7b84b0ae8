import { dither } from "./dither.ts";
import type { Glyph } from "./paint.ts";
import type { ColourGrid, Grid } from "./tones.ts";

/** Dots of a braille character from left to right and from top to bottom. */
export const dotsPerCell = { columns: 2, rows: 4 } as const;

/** The bits of the dots in Unicode, by line: Unicode numbers the first six before the last two. */
const dotBits = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
];

const emptyBraille = 0x2800;

/**
 * Eight dots per character, spread so that their density is the tone.
 * @param dots tones of the dots: two per column and four per line of text
 */
export function brailleGlyphs(dots: Grid, colours: ColourGrid | null): Glyph[] {
  const columns = dots.columns / dotsPerCell.columns;
  const codes = new Uint8Array(dots.values.length / (dotsPerCell.columns * dotsPerCell.rows));
  dither(dots, (at, wanted) => {
    if (wanted < 0.5) return 0;
    const column = at % dots.columns;
    const row = Math.floor(at / dots.columns);
    const cell = Math.floor(row / dotsPerCell.rows) * columns + Math.floor(column / dotsPerCell.columns);
    codes[cell] = (codes[cell] ?? 0) | (dotBits[row % dotsPerCell.rows]?.[column % dotsPerCell.columns] ?? 0);
    return 1;
  });
  return Array.from(codes, (code, i) => {
    const text = String.fromCharCode(emptyBraille + code);
    return colours === null || code === 0 ? { text } : { text, ink: colours.at(i) };
  });
}
