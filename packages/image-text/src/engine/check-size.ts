import { imagesLimits } from "@telex/files/images";
import { TelexError } from "@telex/ground/errors";

import { linesOf } from "../text/lines.ts";
import type { TextLimits } from "./text-worker.ts";

/**
 * Refuses a picture that has too many pixels, before it is decoded.
 * @throws TelexError `unreadable_image` with the reason `image_too_many_pixels`
 */
export function refuseTooLarge(pixels: number, { imagePixels: max }: TextLimits): void {
  if (pixels > max) throw new TelexError("unreadable_image", { reason: "image_too_many_pixels", params: { max } });
}

/**
 * Refuses a picture whose text has too many lines, before it is decoded.
 * @throws TelexError `unreadable_image` with the reason `image_too_many_lines`
 */
export function checkTextLines(
  { width, height }: { readonly width: number; readonly height: number },
  columns: number,
  limits: TextLimits = imagesLimits,
): void {
  if (linesOf(width, height, columns) > limits.imageLines)
    throw new TelexError("unreadable_image", { reason: "image_too_many_lines", params: { max: limits.imageLines } });
}
