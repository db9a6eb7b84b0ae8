import { linesOf, type Pixels, styleOf, textOf } from "@telex/image-text";
import { longestText } from "../base/count.ts";

/** How a picture can be printed: three styles for paper, and the two ways of image to text (interface 4.3). */
export const pictureStyles = ["ramp", "blocks", "braille", "gray", "border"] as const;

/** One of {@link pictureStyles}. */
export type PictureStyle = (typeof pictureStyles)[number];

/** Characters per line that image to text allows (interface 4.3). */
export const mostColumns = 200;

/** Pixels. */
interface Size {
  readonly width: number;
  readonly height: number;
}

const charactersOf = ({ width, height }: Size, columns: number): number =>
  (columns + 1) * linesOf(width, height, columns) - 1;

/** The greatest width in characters at which a picture fits into one text; 1 for a very tall one. */
export function widestOf(size: Size): number {
  for (let columns = mostColumns; columns > 1; columns -= 1) {
    if (charactersOf(size, columns) <= longestText) return columns;
  }
  return 1;
}

/** True for the two ways of image to text: their text is the same on light and on dark ground. */
const isImageToText = (style: PictureStyle): style is "gray" | "border" => style === "gray" || style === "border";

/** The colour behind transparent parts: black for image to text, otherwise the colour of the page. */
export const backgroundOf = (style: PictureStyle, isDark = false): "black" | "white" =>
  isDark || isImageToText(style) ? "black" : "white";

/**
 * A picture as a text: lines of one width, without a break at the end.
 * @param isDark the text is for light ink on dark ground; false for paper
 */
export function pictureText(pixels: Pixels, style: PictureStyle, columns: number, isDark = false): string {
  const text = isImageToText(style)
    ? textOf(pixels, { col: columns, algo: style })
    : styleOf(pixels, { col: columns, style, invert: !isDark });
  return text.replaceAll("\r\n", "\n").replace(/\n$/, "");
}
