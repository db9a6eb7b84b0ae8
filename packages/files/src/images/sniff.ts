import type { ImageFormat, ImageType } from "./engine.ts";

const types: Readonly<Record<ImageFormat, ImageType>> = {
  jpeg: { format: "jpeg", mime: "image/jpeg", ext: "jpg" },
  png: { format: "png", mime: "image/png", ext: "png" },
  gif: { format: "gif", mime: "image/gif", ext: "gif" },
  webp: { format: "webp", mime: "image/webp", ext: "webp" },
  avif: { format: "avif", mime: "image/avif", ext: "avif" },
  tiff: { format: "tiff", mime: "image/tiff", ext: "tiff" },
};

/** Bytes from the start of a file that {@link sniffImage} may look at. */
export const sniffLength = 512;

/** Which of the six formats the first bytes of a file announce, or null. The rest of the file may still be broken. */
export function sniffImage(head: Uint8Array): ImageType | null {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, sniffLength)).toString("latin1");
  const format = formatOf(text);
  return format === null ? null : types[format];
}

const tiffMarks = ["II*\0", "MM\0*", "II+\0", "MM\0+"];

function formatOf(text: string): ImageFormat | null {
  if (text.startsWith("\xff\xd8\xff")) return "jpeg";
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (text.startsWith("GIF87a") || text.startsWith("GIF89a")) return "gif";
  if (text.startsWith("RIFF") && text.startsWith("WEBP", 8)) return "webp";
  if (text.startsWith("ftyp", 4) && brandsOf(text).some((brand) => brand === "avif" || brand === "avis")) return "avif";
  return tiffMarks.some((mark) => text.startsWith(mark)) ? "tiff" : null;
}

/** The brands of an ISO media file: the major one, and after its version the compatible ones, to the end of the box. */
function brandsOf(text: string): string[] {
  const length = Buffer.from(text, "latin1").readUInt32BE(0);
  const box = text.slice(8, length);
  return [box.slice(0, 4), ...(box.slice(8).match(/.{4}/gs) ?? [])];
}
