import sharp from "sharp";

/** A small picture as PNG. */
export const smallPicture = (): Promise<Buffer> =>
  sharp({ create: { width: 2, height: 2, channels: 3, background: "red" } })
    .png()
    .toBuffer();
