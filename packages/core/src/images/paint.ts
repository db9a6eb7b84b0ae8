import type { Colour } from "./tones.ts";

/** One character of a picture, and its colours where it has any. */
export interface Glyph {
  readonly text: string;
  readonly ink?: Colour;
  readonly paper?: Colour;
}

/** Glyphs as lines that end with LF; a colour is told when it changes, and taken back at the end of the line. */
export function paint(glyphs: readonly Glyph[], columns: number): string {
  let text = "";
  for (let at = 0; at < glyphs.length; at += columns) text += `${paintLine(glyphs.slice(at, at + columns))}\n`;
  return text;
}

function paintLine(glyphs: readonly Glyph[]): string {
  let ink = "";
  let paper = "";
  let line = "";
  for (const glyph of glyphs) {
    const nextInk = colourCode(38, glyph.ink);
    const nextPaper = colourCode(48, glyph.paper);
    const changed = [nextInk === ink ? "" : nextInk, nextPaper === paper ? "" : nextPaper].filter(
      (code) => code !== "",
    );
    if (changed.length > 0) line += `\x1b[${changed.join(";")}m`;
    line += glyph.text;
    // A glyph without ink leaves the colour of the pen as it is.
    ink = nextInk === "" ? ink : nextInk;
    paper = nextPaper === "" ? paper : nextPaper;
  }
  return ink + paper === "" ? line : `${line}\x1b[0m`;
}

const colourCode = (layer: 38 | 48, colour: Colour | undefined): string =>
  colour === undefined ? "" : `${layer};2;${colour.map(Math.round).join(";")}`;
