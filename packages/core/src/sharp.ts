import sharp, { type Metadata, type Sharp } from "sharp";
import { TelexError } from "./errors.ts";
import type { Pixels } from "./images/area.ts";
import type { JobKind } from "./images/fair-queue.ts";
import type { ImageEngine, ImageInfo, ImageSource, TextOptions } from "./images/engine.ts";
import { sniffImage } from "./images/sniff.ts";
import type { StyleOptions } from "./images/styles.ts";
import { createTextWorkers, type TextLimits } from "./images/text-worker.ts";
import { linesOf, textOf } from "./images/text.ts";
import { createTurns, type TurnLimits } from "./images/turns.ts";
import { defaultLimits } from "./limits.ts";

export type { Algo, ImageEngine, ImageFormat, ImageInfo, ImageSource, TextOptions } from "./images/engine.ts";
export type { StyleOptions } from "./images/styles.ts";

/** The limits that a {@link createSharpEngine | sharp engine} keeps. */
export type ImageLimits = TextLimits & TurnLimits;

/** Pictures up to this size, and texts up to this length, cost the event loop less than a thread does. */
const small = { pixels: 512 * 512, characters: 16_384 };

/**
 * The image engine on sharp. It turns off sharp's cache and parallel decoding for the whole process, and its limits are
 * its own: several instances of Telex in one process should share one engine.
 */
export function createSharpEngine(changed: Partial<ImageLimits> = {}): ImageEngine {
  sharp.cache(false);
  sharp.concurrency(1);
  const limits: ImageLimits = { ...defaultLimits, ...changed };
  const turns = createTurns(limits);
  const workers = createTextWorkers(workerEntry(), limits);
  const run = async <T>(kind: JobKind, source: ImageSource, job: (picture: Picture) => Promise<T>): Promise<T> =>
    await turns.runOn(kind, source, async (bytes) => await open(bytes, limits), job);
  return {
    identify: async (bytes) => (await readHeader(bytes))?.info ?? null,
    text: async (source, options) =>
      await run("text", source, async (picture) => {
        checkLines(picture, options.col, limits);
        return isSmall(picture, options.col)
          ? await draw(picture, options)
          : await workers.text(picture.bytes, options);
      }),
    jpeg: async (source, { size }) => await run("avatar", source, async (picture) => await toJpeg(picture, size)),
    thumbnail: async (source, max) => await run("preview", source, async (picture) => await toThumbnail(picture, max)),
    encode: async (rgb, width, height) => await turns.run("avatar", async () => await encode(rgb, width, height)),
    async close() {
      turns.close();
      await workers.close();
    },
  };
}

/**
 * The text of one picture, decoded in this thread: what a worker runs, and the shortest way for a command.
 * @throws TelexError `unreadable_image`, as `ImageEngine.text` does
 */
export async function renderText(
  bytes: Uint8Array,
  options: TextOptions,
  limits: TextLimits = defaultLimits,
): Promise<string> {
  const picture = await open(bytes, limits);
  checkLines(picture, options.col, limits);
  return await draw(picture, options);
}

/**
 * One picture in a style for terminals, decoded in this thread. Every line ends with LF.
 * @throws TelexError `unreadable_image`, as `ImageEngine.text` does
 */
export async function renderStyle(
  bytes: Uint8Array,
  options: StyleOptions,
  limits: TextLimits = defaultLimits,
): Promise<string> {
  const picture = await open(bytes, limits);
  checkLines(picture, options.col, limits);
  // Loaded here, since the plain text has no use for it and a command starts the faster.
  const { styleOf } = await import("./images/styles.ts");
  return styleOf(await decode(picture), options);
}

/** A picture whose header was read and found within the limits. */
interface Picture extends Header {
  readonly bytes: Uint8Array;
  /** Seconds that decoding may take. */
  readonly seconds: number;
}

interface Header {
  readonly info: ImageInfo;
  readonly metadata: Metadata;
}

async function open(bytes: Uint8Array, limits: TextLimits): Promise<Picture> {
  const header = await readHeader(bytes);
  if (header === null) throw new TelexError("unreadable_image");
  if (header.info.width * header.info.height > limits.imagePixels)
    throw new TelexError("unreadable_image", { reason: "image_too_many_pixels", params: { max: limits.imagePixels } });
  return { ...header, bytes, seconds: Math.ceil(limits.imageTime / 1000) };
}

function checkLines({ info }: Picture, columns: number, limits: TextLimits): void {
  if (linesOf(info.width, info.height, columns) > limits.imageLines)
    throw new TelexError("unreadable_image", { reason: "image_too_many_lines", params: { max: limits.imageLines } });
}

/** The content decides what it is, before libvips is asked: that would also open SVG. */
async function readHeader(bytes: Uint8Array): Promise<Header | null> {
  const type = sniffImage(bytes);
  if (type === null) return null;
  const metadata = await sharp(bytes, { failOn: "error", limitInputPixels: false })
    .metadata()
    .catch(() => null);
  if (metadata === null || formatOf(metadata) !== type.format) return null;
  return { info: { ...type, ...metadata.autoOrient }, metadata };
}

const formatOf = ({ format, compression }: Metadata): string | undefined =>
  format === "heif" && compression === "av1" ? "avif" : format;

/** The upright picture in sRGB, its pixels still to be decoded. */
function upright({ bytes, info, metadata, seconds }: Picture): Sharp {
  const image = sharp(bytes, {
    failOn: "error",
    unlimited: false,
    sequentialRead: true,
    limitInputPixels: info.width * info.height,
  });
  // With 16 bits and a profile sharp works in P3, and would return that.
  if (metadata.depth === "ushort" && metadata.hasProfile) image.pipelineColourspace("srgb");
  return image.timeout({ seconds }).autoOrient().toColourspace("srgb");
}

async function draw(picture: Picture, options: TextOptions): Promise<string> {
  const pixels = await decode(picture);
  const text = textOf(pixels, options);
  release(pixels);
  return text;
}

async function decode(picture: Picture): Promise<Pixels> {
  const flat = upright(picture).flatten({ background: "#000" }).raw();
  const { data, info } = await readable(flat.toBuffer({ resolveWithObject: true }));
  if (info.channels !== 3) throw new TelexError("unreadable_image");
  return { data, width: info.width, height: info.height };
}

/** Gives the memory of a decoded picture back at once: a collector that sees only its small handle is in no hurry. */
function release({ data }: Pixels): void {
  if (data.buffer instanceof ArrayBuffer && data.buffer.byteLength === data.byteLength) data.buffer.transfer(0);
}

const jpegQuality = { quality: 88 };

async function toJpeg(picture: Picture, size: number | undefined): Promise<Uint8Array> {
  const image = upright(picture).flatten({ background: "#fff" });
  if (size !== undefined) image.resize({ width: size, height: size, fit: "inside" });
  return await readable(image.jpeg(jpegQuality).toBuffer());
}

async function toThumbnail(picture: Picture, max: number): Promise<{ bytes: Uint8Array; mime: string }> {
  const image = upright(picture).resize({ width: max, height: max, fit: "inside", withoutEnlargement: true });
  const clear = picture.metadata.hasAlpha;
  const bytes = await readable((clear ? image.png() : image.jpeg(jpegQuality)).toBuffer());
  return { bytes, mime: clear ? "image/png" : "image/jpeg" };
}

const encode = async (rgb: Uint8Array, width: number, height: number): Promise<Uint8Array> =>
  await sharp(rgb, { raw: { width, height, channels: 3 } })
    .jpeg(jpegQuality)
    .toBuffer();

/** A decoder's error says what the picture lacks, and nothing to the caller. */
async function readable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new TelexError("unreadable_image", { cause: error });
  }
}

const isSmall = ({ info }: Picture, columns: number): boolean =>
  info.width * info.height <= small.pixels && columns * linesOf(info.width, info.height, columns) <= small.characters;

/** The module of the worker beside this one, as source or built. */
function workerEntry(): URL {
  const built = import.meta.url.endsWith(".js");
  return new URL(built ? "./images/worker.js" : "./images/worker.ts", import.meta.url);
}
