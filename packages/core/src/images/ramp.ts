import type { Glyph } from "./paint.ts";
import type { ColourGrid, Grid } from "./tones.ts";

/** Characters in even steps of the ink that they take in common terminal fonts. */
export const inkRamp = " .,:;!*+=czsuoekXm&#8W@";
