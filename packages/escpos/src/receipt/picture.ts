/** A picture in shades of gray, from the top left to the bottom right. */
export interface Picture {
  /** 1 or more. */
  readonly width: number;
  /** 1 or more. */
  readonly height: number;
  /** One byte for each pixel: 0 is black, 255 white. */
  readonly gray: Uint8Array;
}

/**
 * Draws a line of text that the printer has no characters for.
 * @param size the greatest width and the height in dots
 * @returns null if it cannot be drawn
 */
export type Draw = (text: string, size: { readonly width: number; readonly height: number }) => Promise<Picture | null>;

/** Pixels with four bytes each. */
interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
}

const eights = (length: number): number => Math.ceil(length / 8) * 8;

/** The picture with white on its right and below, because the encoder needs multiples of 8. Parts that are too wide for the paper are cut off. */
function pad({ width, height, gray }: Picture, dots: number): Picture {
  const shown = Math.min(width, dots);
  const padded = eights(shown);
  const bytes = new Uint8Array(padded * eights(height)).fill(255);
  for (let row = 0; row < height; row += 1) {
    bytes.set(gray.subarray(row * width, row * width + shown), row * padded);
  }
  return { width: padded, height: eights(height), gray: bytes };
}

/** The pixels of a picture as the encoder expects them. */
export function pixelsOf(picture: Picture, dots: number): Pixels {
  const { width, height, gray } = pad(picture, dots);
  const data = new Uint8ClampedArray(width * height * 4).fill(255);
  for (const [at, shade] of gray.entries()) data.fill(shade, at * 4, at * 4 + 3);
  return { width, height, data };
}
