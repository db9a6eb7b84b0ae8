import type { Pixels } from "../text/area.ts";
import { colourBlocks, plainBlocks } from "./blocks.ts";
import { brailleGlyphs, dotsPerCell } from "./braille.ts";
import { paint, type ColourDepth, type Glyph } from "./paint.ts";
import { inkRamp, rampGlyphs } from "./ramp.ts";
import { linesOf } from "../text/lines.ts";
import { coloursOf, tonesOf, vivid, type ColourGrid, type Grid } from "./tones.ts";

/** Options of drawing a picture for a terminal or a page, beyond the interface. */
export interface StyleOptions {
  /** Characters per line, 1 or more. */
  readonly col: number;
  /** `ramp`: characters from thin to thick; `blocks`: quarters of a cell; `braille`: eight dots a cell. */
  readonly style: "ramp" | "blocks" | "braille";
  /** Paints in colours. */
  readonly color?: boolean;
  /** The bits of a colour on the terminal. Default 24: any colour. */
  readonly depth?: ColourDepth;
  /**
   * Puts the ink on the dark parts, for terminals with a light background. Blocks in colour cover the background, and
   * look alike on both.
   */
  readonly invert?: boolean;
  /** The characters of `ramp` from thin to thick, at least one, each one column wide. */
  readonly ramp?: string;
}

/** A decoded picture in a style for terminals, each line ending with LF. */
export function styleOf(pixels: Pixels, options: StyleOptions): string {
  return paint(glyphsOf(pixels, options), options.col, options.depth ?? 24);
}

function glyphsOf(
  pixels: Pixels,
  { col, style, color = false, invert = false, ramp = inkRamp }: StyleOptions,
): Glyph[] {
  const rows = linesOf(pixels.width, pixels.height, col);
  if (style === "blocks" && color) return colourBlocks(coloursOf(pixels, 2 * col, 2 * rows), col, rows);
  const ink = (across: number, down: number): Grid => inked(tonesOf(pixels, across * col, down * rows), invert);
  if (style === "blocks") return plainBlocks(ink(2, 2));
  const colours = color ? penColours(coloursOf(pixels, col, rows), invert) : null;
  return style === "ramp"
    ? rampGlyphs(ink(1, 1), ramp, colours)
    : brailleGlyphs(ink(dotsPerCell.columns, dotsPerCell.rows), colours);
}

/** Bright paper shines through thin ink; on dark paper the ink has to be brighter than the picture. */
const penColours = (colours: ColourGrid, invert: boolean): ColourGrid =>
  invert ? colours : { at: (cell) => vivid(colours.at(cell)) };

/** The ink of each tone: ink is bright on a dark terminal, and dark on a light one. */
const inked = (tones: Grid, invert: boolean): Grid => ({
  ...tones,
  values: invert ? tones.values.map((tone) => 1 - tone) : tones.values,
});
