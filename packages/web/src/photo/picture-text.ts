import { linesOf, type Pixels, styleOf, textOf } from "@telex/image-text";
import { longestText } from "../base/count.ts";

/** The styles of a picture: three for paper, and the two of image-to-text (interface 4.3). */
export const pictureStyles = ["ramp", "blocks", "braille", "gray", "border"] as const;

/** One of {@link pictureStyles}. */
export type PictureStyle = (typeof pictureStyles)[number];

/** The maximum number of characters per line of image-to-text (interface 4.3). */
export const mostColumns = 200;

/** In pixels. */
interface Size {
  readonly width: number;
  readonly height: number;
}

const charactersOf = ({ width, height }: Size, columns: number): number =>
  (columns + 1) * linesOf(width, height, columns) - 1;

/** The maximum width in characters at which a picture fits into one text. 1 for a very tall picture. */
export function widestOf(size: Size): number {
  for (let columns = mostColumns; columns > 1; columns -= 1) {
    if (charactersOf(size, columns) <= longestText) return columns;
  }
  return 1;
}

/** True for the two styles of image-to-text, whose result is the same on light and dark backgrounds. */
const isImageToText = (style: PictureStyle): style is "gray" | "border" => style === "gray" || style === "border";

/** The colour behind transparent parts: black for image-to-text, otherwise the colour of the page. */
export const backgroundOf = (style: PictureStyle, isDark = false): "black" | "white" =>
  isDark || isImageToText(style) ? "black" : "white";

/**
 * A picture as text. All lines have the same width, and the last has no line break.
 * @param isDark true for light text on a dark background; false for paper
 */
export function pictureText(pixels: Pixels, style: PictureStyle, columns: number, isDark = false): string {
  const text = isImageToText(style)
    ? textOf(pixels, { col: columns, algo: style })
    : styleOf(pixels, { col: columns, style, invert: !isDark });
  return text.replaceAll("\r\n", "\n").replace(/\n$/, "");
}
