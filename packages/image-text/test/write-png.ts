import { crc32, deflateSync } from "node:zlib";
import type { Pixels } from "../src/text/area.ts";

/** A filter of PNG: what is subtracted from a byte, by the bytes on the left, above, and above on the left. */
const predictions: readonly ((left: number, up: number, corner: number) => number)[] = [
  () => 0,
  (left) => left,
  (_left, up) => up,
  (left, up) => Math.floor((left + up) / 2),
  (left, up, corner) => {
    const near = left + up - corner;
    return [left, up, corner].toSorted((a, b) => Math.abs(near - a) - Math.abs(near - b))[0] ?? 0;
  },
];

/** The filtered rows of a picture according to the PNG specification; row `y` has the filter `filters[y % filters.length]`. */
export function filteredRows({ data, width, height }: Pixels, filters: readonly number[]): Buffer {
  const length = 3 * width;
  const at = (y: number, x: number): number => (y < 0 || x < 0 ? 0 : (data[y * length + x] ?? 0));
  const rows = Array.from({ length: height }, (_, y) => {
    const filter = filters[y % filters.length] ?? 0;
    const row = Uint8Array.from({ length }, (__, x) => {
      const predicted = predictions[filter]?.(at(y, x - 3), at(y - 1, x), at(y - 1, x - 3)) ?? 0;
      return at(y, x) - predicted;
    });
    return [Uint8Array.of(filter), row];
  });
  return Buffer.concat(rows.flat());
}

/** A chunk of a PNG file. */
export function pngChunk(type: string, data: Uint8Array): Buffer {
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** The parts of a PNG file. */
interface Parts {
  readonly width: number;
  readonly height: number;
  /** Filtered rows. */
  readonly rows: Uint8Array;
  /** Chunks between the header and the data. */
  readonly chunks?: readonly Buffer[];
}

/** A PNG file of 8 bits, red, green and blue, whose data is in chunks of 1,000 bytes. */
export function writePng({ width, height, rows, chunks = [] }: Parts): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const data = deflateSync(rows, { level: 1 });
  const pieces = Array.from({ length: Math.ceil(data.length / 1000) }, (_, i) =>
    pngChunk("IDAT", data.subarray(1000 * i, 1000 * (i + 1))),
  );
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([signature, pngChunk("IHDR", header), ...chunks, ...pieces, pngChunk("IEND", Buffer.of())]);
}
