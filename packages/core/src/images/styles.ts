import { averageCells, type Pixels, type Weights } from "./area.ts";
import { colourBlocks, plainBlocks } from "./blocks.ts";
import { braille } from "./braille.ts";
import { paint, type Glyph } from "./paint.ts";
import { ramp } from "./ramp.ts";
import { linesOf } from "./text.ts";

/** Pictures for a terminal, beyond the interface. */
export interface StyleOptions {
  /** Characters per line, 1 or more. */
  readonly col: number;
  /** `ramp`: characters from thin to thick; `blocks`: quarters of a cell; `braille`: eight dots a cell. */
  readonly style: "ramp" | "blocks" | "braille";
  /** Paints in 24-bit colour. */
  readonly color?: boolean;
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
  return paint(glyphsOf(pixels, options), options.col);
}
