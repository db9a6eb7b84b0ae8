import type { Kernel, Unfilter } from "../kernel/kernel.ts";

/** Where the rows of a PNG are in the memory of a kernel. */
interface RowAreas {
  /** `input` bytes for the filtered rows. */
  readonly from: number;
  readonly input: number;
  /** One row more than `most`: the first one is the row above the others. */
  readonly to: number;
  readonly most: number;
}

/** Undoes the filters of a PNG of 8 bits and three channels, row by row, as its bytes arrive. */
interface Rows {
  /**
   * Takes the next filtered bytes.
   * @throws RangeError for a filter that does not exist, and for bytes after the last row
   */
  add(chunk: Uint8Array): void;
  /** Passes on the last rows. Returns false if rows are missing. */
  end(): boolean;
}

/**
 * @param size of the picture, in pixels
 * @param take gets whole rows, which are valid only during the call
 */
export function createRows(
  kernel: Kernel,
  areas: RowAreas,
  size: { readonly width: number; readonly height: number },
  take: (rows: Uint8Array) => void,
): Rows {
  const { bytes } = kernel;
  const length = 3 * size.width;
  const filters: readonly Unfilter[] = [copyIn(bytes), kernel.sub, kernel.up, kernel.average, kernel.paeth];
  let pending = 0;
  let filled = 0;
  let missing = size.height;
  const flush = (): void => {
    take(bytes.subarray(areas.to + length, areas.to + (filled + 1) * length));
    bytes.copyWithin(areas.to, areas.to + filled * length, areas.to + (filled + 1) * length);
    filled = 0;
  };
  const takeRow = (from: number): void => {
    const unfilter = filters[bytes[from] ?? 0];
    if (unfilter === undefined || missing === 0) throw new RangeError("no such row");
    if (filled === areas.most) flush();
    const above = areas.to + filled * length;
    unfilter(from + 1, above, above + length, length);
    filled++;
    missing--;
  };
  const takeRows = (): void => {
    let from = areas.from;
    for (; pending > length; pending -= length + 1, from += length + 1) takeRow(from);
    bytes.copyWithin(areas.from, from, from + pending);
  };
  return {
    add(chunk) {
      for (let at = 0; at < chunk.length;) {
        const some = chunk.subarray(at, at + areas.input - pending);
        bytes.set(some, areas.from + pending);
        at += some.length;
        pending += some.length;
        takeRows();
      }
    },
    end() {
      if (filled > 0) flush();
      return missing === 0 && pending === 0;
    },
  };
}

/** Filter 0: the row itself. */
const copyIn =
  (bytes: Uint8Array): Unfilter =>
  (from, _above, to, length) =>
    bytes.copyWithin(to, from, from + length);
