import type { OpenPicture } from "./engine/open-picture.ts";
import { imagesLimits } from "@telex/files/images";
import { checkTextLines, refuseTooLarge } from "./engine/check-size.ts";
import { drawPlainPng } from "./engine/draw.ts";
import { findPlainPng, type PlainPng } from "./png/plain-png.ts";
import type { TextLimits } from "./engine/text-worker.ts";

export type { Algo, TextOptions } from "@telex/files/images";
export type { Pixels } from "./text/area.ts";
export type { OpenPicture } from "./engine/open-picture.ts";
export { checkTextLines } from "./engine/check-size.ts";

/**
 * Opens a picture to draw it in this thread, for a command. The text of a large plain PNG needs no sharp, which is then not loaded.
 * @param bytes one of the six formats, or an SVG if `svg` is true, which is for files that the user of this machine chose
 * @throws TelexError `unreadable_image`
 */
export async function openPicture(
  bytes: Uint8Array,
  { svg = false, limits = imagesLimits }: { readonly svg?: boolean; readonly limits?: TextLimits } = {},
): Promise<OpenPicture> {
  const open = async (): Promise<OpenPicture> => {
    const { openWithSharp } = await import("./sharp.ts");
    return await openWithSharp(bytes, svg, limits);
  };
  const png = findPlainPng(bytes);
  return withTextLines(png === null ? await open() : openPng(png, open, limits), limits);
}

/** The picture, whose text is refused if it has too many lines. */
const withTextLines = (picture: OpenPicture, limits: TextLimits): OpenPicture => ({
  ...picture,
  async text(options) {
    checkTextLines(picture, options.col, limits);
    return await picture.text(options);
  },
});

function openPng(png: PlainPng, open: () => Promise<OpenPicture>, limits: TextLimits): OpenPicture {
  const { width, height } = png;
  refuseTooLarge(width * height, limits);
  return {
    width,
    height,
    delays: [0],
    loops: 1,
    first: async () => await (await open()).first(),
    text: async (options) => (await drawPlainPng(png, options)) ?? (await (await open()).text(options)),
    all: async () => await (await open()).all(),
  };
}
