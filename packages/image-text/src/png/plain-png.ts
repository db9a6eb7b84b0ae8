import { crc32 } from "node:zlib";
import { isForKernel } from "../text/rows.ts";

/**
 * A PNG file that is read without sharp: large, 8 bits of red, green and blue, not interlaced, and without anything that changes
 * colours, transparency or orientation. Most photographs are such files.
 */
export interface PlainPng {
  readonly width: number;
  readonly height: number;
  /** The compressed rows, in pieces. */
  readonly data: readonly Uint8Array[];
}

interface Chunk {
  readonly type: string;
  readonly data: Uint8Array;
}

/** Chunks that do not change what sharp makes of the pixels. */
const harmless = new Set(["pHYs", "tIME", "sRGB", "gAMA", "tEXt"]);

const signature = "\x89PNG\r\n\x1a\n";

/** Depth of 8 bits, red, green and blue, and the only compression, filters and order of rows that are not interlaced. */
const plainKind = "\x08\x02\x00\x00\x00";

/** Three times as many as a picture of 50 megapixels has, in the usual pieces of 8 KiB. */
const maxChunks = 65_536;

/** Reads the chunks of a file. Returns null if it is not a {@link PlainPng}, or if a chunk of it is damaged or out of place. */
export function findPlainPng(bytes: Uint8Array): PlainPng | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = plainSize(file);
  if (size === null) return null;
  const [header, ...rest] = chunksOf(file);
  if (header?.data.length !== 13 || rest.pop()?.type !== "IEND") return null;
  const data = dataOf(rest);
  return data === null ? null : { ...size, data };
}

/** The size of a picture by the header of its file, before anything else in the file is read; null if it is not plain and large. */
function plainSize(file: Buffer): Pick<PlainPng, "width" | "height"> | null {
  if (file.length < 33 || file.toString("latin1", 0, 8) !== signature) return null;
  if (file.toString("latin1", 12, 16) !== "IHDR" || file.toString("latin1", 24, 29) !== plainKind) return null;
  const size = { width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
  return isForKernel(size) ? size : null;
}

/** The data of the chunks between header and end; null if one is of an unknown kind, or the data is not contiguous. */
function dataOf(chunks: readonly Chunk[]): readonly Uint8Array[] | null {
  if (!chunks.every(({ type }) => type === "IDAT" || harmless.has(type))) return null;
  const first = chunks.findIndex(({ type }) => type === "IDAT");
  const data = chunks.slice(first, chunks.findLastIndex(({ type }) => type === "IDAT") + 1);
  return data.every(({ type }) => type === "IDAT") ? data.map((chunk) => chunk.data) : null;
}

/** The chunks of a file, or none if one of them is damaged, anything follows the last one, or there are very many. */
function chunksOf(file: Buffer): readonly Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = 8; at < file.length;) {
    if (at + 12 > file.length || chunks.length === maxChunks) return [];
    const end = at + 8 + file.readUInt32BE(at);
    if (end + 4 > file.length || crc32(file.subarray(at + 4, end)) !== file.readUInt32BE(end)) return [];
    chunks.push({ type: file.toString("latin1", at + 4, at + 8), data: file.subarray(at + 8, end) });
    at = end + 4;
  }
  return chunks;
}
