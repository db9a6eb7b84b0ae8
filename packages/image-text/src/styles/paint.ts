import type { Colour } from "./tones.ts";

/** One character of a picture, and its colours if it has any. */
export interface Glyph {
  readonly text: string;
  readonly ink?: Colour;
  readonly paper?: Colour;
}

/** The bits of a colour on a terminal: 24 for any colour, 8 for the 256 of a fixed palette. */
export type ColourDepth = 8 | 24;

/** Glyphs as lines that end with LF. A colour is written when it changes, and reset at the end of the line. */
export function paint(glyphs: readonly Glyph[], columns: number, depth: ColourDepth): string {
  let text = "";
  for (let at = 0; at < glyphs.length; at += columns) text += `${paintLine(glyphs.slice(at, at + columns), depth)}\n`;
  return text;
}

function paintLine(glyphs: readonly Glyph[], depth: ColourDepth): string {
  let ink = "";
  let paper = "";
  let line = "";
  for (const glyph of glyphs) {
    const nextInk = colourCode(38, glyph.ink, depth);
    const nextPaper = colourCode(48, glyph.paper, depth);
    const changed = [nextInk === ink ? "" : nextInk, nextPaper === paper ? "" : nextPaper].filter(Boolean);
    if (changed.length > 0) line += `\x1b[${changed.join(";")}m`;
    line += glyph.text;
    // A glyph without ink leaves the colour of the pen as it is.
    ink = nextInk === "" ? ink : nextInk;
    paper = nextPaper === "" ? paper : nextPaper;
  }
  return ink + paper === "" ? line : `${line}\x1b[0m`;
}

function colourCode(layer: 38 | 48, colour: Colour | undefined, depth: ColourDepth): string {
  if (colour === undefined) return "";
  return depth === 8 ? `${layer};5;${paletteIndex(colour)}` : `${layer};2;${colour.map(Math.round).join(";")}`;
}

/** The six values of a channel in the colour cube of the palette, which begins at 16. */
const cube = [0, 95, 135, 175, 215, 255];

const nearestOf = (values: readonly number[], wanted: number): number =>
  values.reduce(
    (best, value, at) => (Math.abs(value - wanted) < Math.abs((values[best] ?? 0) - wanted) ? at : best),
    0,
  );

const grayOf = (step: number): number => 8 + 10 * step;

/** The nearest of the 256 colours: of the cube, or of the 24 grays after it. */
function paletteIndex([red, green, blue]: Colour): number {
  const steps = [red, green, blue].map((channel) => nearestOf(cube, channel));
  const step = Math.min(23, Math.max(0, Math.round(((red + green + blue) / 3 - 8) / 10)));
  const loss = (shown: readonly number[]): number =>
    [red, green, blue].reduce((sum, channel, i) => sum + (channel - (shown[i] ?? 0)) ** 2, 0);
  const gray = grayOf(step);
  if (loss([gray, gray, gray]) < loss(steps.map((at) => cube[at] ?? 0))) return 232 + step;
  return steps.reduce((index, at) => 6 * index + at, 0) + 16;
}
