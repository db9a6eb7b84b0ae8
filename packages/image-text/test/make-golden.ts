/**
 * Writes `test/golden/`: small pictures of every kind, and what the interface says their text is. The reference
 * works on pixels as sharp decodes them. Run it when a kind of picture is added, and look at the difference:
 * `node packages/image-text/test/make-golden.ts`
 */
import { mkdir, writeFile } from "node:fs/promises";
import sharp, { type Sharp } from "sharp";
import type { TextOptions } from "@telex/files/images";
import { referenceText } from "./reference.ts";
import { frames, picture, scene, type Raw } from "./scene.ts";

const folder = new URL("golden/", import.meta.url);

const widths: readonly TextOptions[] = [
  { col: 69, algo: "gray" },
  { col: 40, algo: "border" },
];

/** The scene with what is above the horizon fading out. */
const faded = ({ data, width, height }: Raw): Raw => {
  const clear = new Uint8Array(width * height * 4);
  for (let i = 0; i < width * height; i++) {
    clear.set(data.subarray(3 * i, 3 * i + 3), 4 * i);
    clear[4 * i + 3] = Math.min(255, Math.floor((512 * i) / (width * height)));
  }
  return { data: clear, width, height, channels: 4 };
};

const negative = (raw: Raw): Raw => ({ ...raw, data: raw.data.map((value) => 255 - value) });

/** Sixteen bits per channel, with low bytes that do not change the high ones. */
const deep = ({ data, width, height }: Raw): Sharp =>
  sharp(
    Uint16Array.from(data, (value, i) => value * 256 + ((i * 89) % 256)),
    {
      raw: { width, height, channels: 3 },
    },
  ).toColourspace("rgb16");

async function pictures(): Promise<Record<string, Buffer>> {
  const day = await scene(120, 90);
  const small = await scene(60, 45);
  const made: Record<string, Sharp> = {
    "baseline.jpg": picture(await scene(320, 240)).jpeg({ quality: 85 }),
    "progressive.jpg": picture(day).jpeg({ progressive: true }),
    "gray.jpg": picture(day).greyscale().jpeg(),
    "cmyk.jpg": picture(day).toColourspace("cmyk").jpeg(),
    "orientation-3.jpg": picture(day).withMetadata({ orientation: 3 }).jpeg(),
    "orientation-5.jpg": picture(day).withMetadata({ orientation: 5 }).jpeg(),
    "orientation-6.jpg": picture(day).withMetadata({ orientation: 6 }).jpeg(),
    "wide-gamut.jpg": picture(day).withIccProfile("p3").jpeg(),
    "truecolour.png": picture(day).png(),
    "interlaced.png": picture(small).png({ progressive: true }),
    "palette.png": picture(faded(small)).png({ palette: true, colours: 32 }),
    "transparent.png": picture(faded(day)).png(),
    "gray-transparent.png": picture(faded(small)).toColourspace("b-w").png(),
    "sixteen-bits.png": deep(small).png(),
    "sixteen-bits-profile.png": deep(small).withIccProfile("srgb").png(),
    "one-pixel.png": picture({ data: Uint8Array.of(200, 100, 50), width: 1, height: 1, channels: 3 }).png(),
    "wide.png": picture(await scene(600, 2)).png(),
    "tall.png": picture(await scene(2, 12)).png(),
    "animated.gif": frames([small, negative(small)]).gif({ delay: [100, 100], colours: 64 }),
    "animated.webp": frames([small, negative(small)]).webp({ delay: [100, 100], lossless: true }),
    "lossy.webp": picture(day).webp(),
    "still.avif": picture(day).avif(),
    "still.tiff": picture(small).tiff({ compression: "lzw" }),
  };
  const buffers = Object.entries(made).map(async ([name, image]) => [name, await image.toBuffer()] as const);
  return Object.fromEntries(await Promise.all(buffers));
}

async function upright(bytes: Buffer): Promise<Raw> {
  const image = sharp(bytes).autoOrient().flatten({ background: "#000" }).toColourspace("srgb");
  // Without this sharp would work in P3 where there are 16 bits and a profile.
  if ((await sharp(bytes).metadata()).depth === "ushort") image.pipelineColourspace("srgb");
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: 3 };
}

await mkdir(folder, { recursive: true });
for (const [name, bytes] of Object.entries(await pictures())) {
  const pixels = await upright(bytes);
  await writeFile(new URL(name, folder), bytes);
  for (const options of widths) {
    const text = new URL(`${name}.${options.col}.${options.algo}.txt`, folder);
    await writeFile(text, referenceText(pixels, options));
  }
}
