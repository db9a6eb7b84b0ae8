import type { Draw, Paper } from "@telex/escpos";

/** The width in pixels of a drawing. The line is its left part, so that one dot is one pixel and stays sharp. */
const drawnWidth = 1024;
/** Dots in the height of a line of normal size. */
const normalHeight = 32;
/** The width of a character of monospaced fonts, as a fraction of the font size. */
const characterWidth = 0.61;

const entities: Readonly<Record<string, string>> = { "<": "&lt;", ">": "&gt;", "&": "&amp;" };
const escaped = (text: string): string => text.replaceAll(/[<>&]/g, (character) => entities[character] ?? "");

function drawingOf(text: string, height: number, size: number): string {
  const style = `font-family="monospace" font-size="${size}" xml:space="preserve"`;
  const line = `<text x="0" y="${Math.round(height * 0.75)}" ${style}>${escaped(text)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${drawnWidth}" height="${height}">${line}</svg>`;
}

/** Shades above this one are white: dithering would tear thin lines. */
const white = 160;

/** Draws lines with the fonts of this machine. Null if it has none for any character, or cannot draw. */
export const createDraw =
  ({ dots, columns }: Paper): Draw =>
  async (text, { width, height }) => {
    const scale = height / normalHeight;
    const size = Math.min(height * 0.75, (scale * dots) / columns / characterWidth);
    const { openPicture } = await import("@telex/image-text/picture");
    try {
      const drawing = await openPicture(Buffer.from(drawingOf(text, height, size)), { svg: true });
      const { data, width: drawn } = await drawing.first();
      const gray = Uint8Array.from({ length: width * height }, (_, at) => {
        const pixel = Math.floor(at / width) * drawn + (at % width);
        return (data[pixel * 3] ?? 255) > white ? 255 : 0;
      });
      return gray.every((shade) => shade === 255) ? null : { width, height, gray };
    } catch {
      return null;
    }
  };
