import type { Glyph } from "./paint.ts";
import type { ColourGrid, Grid } from "./tones.ts";

/** Characters in even steps of the ink that they take in common terminal fonts. */
export const inkRamp = " .,:;!*+=czsuoekXm&#8W@";

/**
 * One character per tone.
 * @param characters from thin to thick, at least one
 */
export function rampGlyphs(tones: Grid, characters: string, colours: ColourGrid | null): Glyph[] {
  const steps = Array.from(characters);
  return Array.from(tones.values, (tone, i) => {
    const text = steps[Math.min(steps.length - 1, Math.floor(tone * steps.length))] ?? " ";
    return colours === null || text === " " ? { text } : { text, ink: colours.at(i) };
  });
}
