import type { Pixels } from "@telex/image-text";

/** The maximum length of the longer side in pixels. No text shows more detail. */
const longestSide = 512;

/** A decoded picture, which can be drawn on different backgrounds. */
export interface Photo {
  readonly width: number;
  readonly height: number;
  readonly before: (background: "black" | "white") => Pixels;
}

function withoutAlpha({ data, width, height }: ImageData): Pixels {
  const colours = new Uint8Array(3 * width * height);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    colours.set(data.subarray(4 * pixel, 4 * pixel + 3), 3 * pixel);
  }
  return { data: colours, width, height };
}

function drawBefore(picture: ImageBitmap, background: string): Pixels {
  const { width, height } = picture;
  const canvas = new OffscreenCanvas(width, height);
  const brush = canvas.getContext("2d", { willReadFrequently: true });
  if (brush === null) throw new DOMException("There is no memory for a picture.", "InvalidStateError");
  brush.fillStyle = background;
  brush.fillRect(0, 0, width, height);
  brush.drawImage(picture, 0, 0);
  return withoutAlpha(brush.getImageData(0, 0, width, height));
}

/** The size to which a picture is scaled. */
function keptSize({ width, height }: ImageBitmap) {
  const scale = Math.min(1, longestSide / Math.max(width, height));
  const scaled = (side: number): number => Math.max(1, Math.round(side * scale));
  return { width: scaled(width), height: scaled(height) };
}

/**
 * Decodes a picture in the browser, so that it does not leave the page. It is upright, and the first frame of an animation.
 * @throws DOMException if the browser cannot decode the file
 */
export async function readPhoto(file: Blob): Promise<Photo> {
  const bitmap = await createImageBitmap(file);
  const { width, height } = keptSize(bitmap);
  const small = await createImageBitmap(bitmap, { resizeWidth: width, resizeHeight: height, resizeQuality: "high" });
  bitmap.close();
  return { width, height, before: (background) => drawBefore(small, background) };
}

/** The first picture among pasted, dropped or chosen files. */
export const pictureAmong = (files: readonly File[]): File | undefined =>
  files.find(({ type }) => type.startsWith("image/"));
