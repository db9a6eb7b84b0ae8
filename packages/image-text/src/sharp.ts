import {
  type ImageEngine,
  type ImageInfo,
  type ImageSource,
  sniffImage,
  type TextOptions,
  imagesLimits,
} from "@telex/files/images";
import { TelexError } from "@telex/ground/errors";
import { extname } from "node:path";
import sharp, { type Metadata, type Sharp } from "sharp";
import type { Pixels } from "./text/area.ts";
import type { JobKind } from "./engine/fair-queue.ts";
import { createTextWorkers, type TextLimits } from "./engine/text-worker.ts";
import { checkTextLines, refuseTooLarge } from "./engine/check-size.ts";
import { drawPixels, drawPlainPng } from "./engine/draw.ts";
import { linesOf } from "./text/lines.ts";
import type { OpenPicture } from "./engine/open-picture.ts";
import { findPlainPng } from "./png/plain-png.ts";
import { createTurns, type TurnLimits } from "./engine/turns.ts";

export type { Algo, ImageEngine, ImageFormat, ImageInfo, ImageSource, TextOptions } from "@telex/files/images";
export type { Pixels } from "./text/area.ts";

/** The limits that a {@link createSharpEngine | sharp engine} keeps. */
export type ImageLimits = TextLimits & TurnLimits;

/** Pictures up to this size, and texts up to this length, cost the event loop less than a thread does. The kernel draws none of them. */
const small = { pixels: 512 * 512, characters: 16_384 };

/**
 * The image engine on sharp. It turns off sharp's cache and parallel decoding for the whole process, and each engine has
 * its own limits: several instances of Telex in one process should share one engine.
 */
export function createSharpEngine(changed: Partial<ImageLimits> = {}): ImageEngine {
  sharp.cache(false);
  sharp.concurrency(1);
  const limits: ImageLimits = { ...imagesLimits, ...changed };
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
  limits: TextLimits = imagesLimits,
): Promise<string> {
  const picture = await open(bytes, limits);
  checkLines(picture, options.col, limits);
  return await draw(picture, options);
}

/** `openPicture`, with sharp. */
export async function openWithSharp(bytes: Uint8Array, svg: boolean, limits: TextLimits): Promise<OpenPicture> {
  if (svg && sniffImage(bytes) === null) return await openDrawing(bytes, limits);
  const picture = await open(bytes, limits);
  const { width, height } = picture.info;
  const { pages = 1, delay = [], loop = 0 } = picture.metadata;
  const frames = picture.info.format === "tiff" ? 1 : pages;
  return {
    width,
    height,
    delays: Array.from({ length: frames }, (_, at) => shownFor(delay[at] ?? 0)),
    loops: loop,
    first: async () => await decode(picture),
    text: async (options) => await draw(picture, options),
    all: async () => (frames === 1 ? [await decode(picture)] : await decodeFrames(picture, frames, limits)),
  };
}

/** Browsers show a frame without a time for a tenth of a second. */
const shownFor = (delay: number): number => (delay <= 10 ? 100 : delay);

async function decodeFrames(picture: Picture, frames: number, limits: TextLimits): Promise<Pixels[]> {
  const { width, height } = picture.info;
  refuseTooLarge(width * height * frames, limits);
  const image = sharp(picture.bytes, { failOn: "error", pages: frames, limitInputPixels: width * height * frames });
  const raw = image.timeout({ seconds: picture.seconds }).toColourspace("srgb").flatten({ background: "#000" }).raw();
  const { data } = await readable(raw.toBuffer({ resolveWithObject: true }));
  const size = 3 * width * height;
  if (data.length !== size * frames) throw new TelexError("unreadable_image");
  return Array.from({ length: frames }, (_, at) => ({
    data: data.subarray(at * size, (at + 1) * size),
    width,
    height,
  }));
}

/** The width in pixels of a rendered drawing: more than any terminal has columns. */
const drawingSide = 1024;

async function rasterize(image: Sharp, limits: TextLimits): Promise<Pixels> {
  const raw = image
    .timeout({ seconds: secondsOf(limits) })
    .toColourspace("srgb")
    .flatten({ background: "#fff" })
    .raw();
  const { data, info } = await readable(raw.toBuffer({ resolveWithObject: true }));
  return { data, width: info.width, height: info.height };
}

async function openDrawing(bytes: Uint8Array, limits: TextLimits): Promise<OpenPicture> {
  const natural = await readable(sharp(bytes).metadata());
  if (natural.format !== "svg") throw new TelexError("unreadable_image");
  const density = Math.min(100_000, Math.max(1, (72 * drawingSide) / Math.max(natural.width, natural.height)));
  const { width, height } = await readable(sharp(bytes, { density, limitInputPixels: false }).metadata());
  refuseTooLarge(width * height, limits);
  const first = (): Promise<Pixels> => rasterize(sharp(bytes, { density, limitInputPixels: width * height }), limits);
  const text = async (options: TextOptions): Promise<string> => drawPixels(await first(), options);
  return { width, height, delays: [0], loops: 1, first, text, all: async () => [await first()] };
}

const secondsOf = ({ imageTime }: TextLimits): number => Math.ceil(imageTime / 1000);

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
  refuseTooLarge(header.info.width * header.info.height, limits);
  return { ...header, bytes, seconds: secondsOf(limits) };
}

const checkLines = ({ info }: Picture, columns: number, limits: TextLimits): void =>
  checkTextLines(info, columns, limits);

/** The content decides the format before libvips reads the file, because libvips would also open SVG. */
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
  const png = findPlainPng(picture.bytes);
  const plain = png === null ? null : await drawPlainPng(png, options);
  if (plain !== null) return plain;
  const pixels = await decode(picture);
  const text = drawPixels(pixels, options);
  release(pixels);
  return text;
}

async function decode(picture: Picture): Promise<Pixels> {
  const flat = upright(picture).flatten({ background: "#000" }).raw();
  const { data, info } = await readable(flat.toBuffer({ resolveWithObject: true }));
  if (info.channels !== 3) throw new TelexError("unreadable_image");
  return { data, width: info.width, height: info.height };
}

/** Frees the memory of a decoded picture immediately: a collector that sees only its small handle would wait. */
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

/** The error of a decoder describes the fault of the picture, which means nothing to the caller. */
async function readable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new TelexError("unreadable_image", { cause: error });
  }
}

const isSmall = ({ info }: Picture, columns: number): boolean =>
  info.width * info.height <= small.pixels && columns * linesOf(info.width, info.height, columns) <= small.characters;

/** The module of the worker next to this one: as source, built, or in a bundle. */
const workerEntry = (): URL => new URL(`./worker${extname(new URL(import.meta.url).pathname)}`, import.meta.url);
