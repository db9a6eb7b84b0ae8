import { imagesLimits } from "./limits.ts";
import type { Pixels } from "./area.ts";
import { checkTextLines, refuseTooLarge } from "./check-size.ts";
import { drawPlainPng } from "./draw.ts";
import type { TextOptions } from "./engine.ts";
import { findPlainPng, type PlainPng } from "./png/plain-png.ts";
import type { TextLimits } from "./text-worker.ts";

export type { Algo, TextOptions } from "./engine.ts";
export type { Pixels } from "./area.ts";
export { checkTextLines } from "./check-size.ts";

/** A picture file that was opened to be drawn in this thread. */
export interface OpenPicture {
  /** Pixels from left to right, once the picture is upright. */
  readonly width: number;
  /** Pixels from top to bottom, once the picture is upright. */
  readonly height: number;
  /** How long each frame is shown, in milliseconds; one entry if the picture does not move. */
  readonly delays: readonly number[];
  /** How often an animation is played; 0 for until somebody stops it. */
  readonly loops: number;
  /**
   * Decodes the first frame, on black where it is transparent; an SVG on white.
   * @throws TelexError `unreadable_image`
   */
  first(): Promise<Pixels>;
  /**
   * The first frame as text, each line ending with CRLF (interface 4.3).
   * @throws TelexError `unreadable_image`, with the reason `image_too_many_lines` before anything is decoded
   */
  text(options: TextOptions): Promise<string>;
  /**
   * Decodes every frame.
   * @throws TelexError `unreadable_image`, with the reason `image_too_many_pixels` if all frames together have too many
   */
  all(): Promise<readonly Pixels[]>;
}

/**
 * Opens a picture to draw it in this thread, for a command. The text of a large plain PNG needs no sharp, which is then not loaded.
 * @param bytes one of the six formats; an SVG too if `svg` says so, which is for files that the user of this machine chose
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
