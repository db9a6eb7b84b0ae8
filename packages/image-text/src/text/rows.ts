/** Sums rows of the same length, so that several are averaged as if they were one. */
export interface RowSums {
  /** The most rows that are summed together. */
  readonly most: number;
  /**
   * Sums each byte of the first row with those below it.
   * @param at where the first row begins in `data`
   * @param rows 1 to {@link RowSums.most}
   * @returns a sum for each byte of a row, valid until the next call
   */
  sum(data: Uint8Array, at: number, rows: number): Uint16Array | Uint8Array;
}

/** The most rows whose bytes fit in sums of 16 bits. */
export const mostRows = 256;

/** Bytes of the longest row that is summed. A longer one would need much memory, and there are few of them. */
const longestRow = 1_048_576;

/** Pixels from which on the kernel gains more than it takes to start. */
const large = 512 * 512;

/** True for pictures that the kernel averages. */
export const isForKernel = ({ width, height }: { readonly width: number; readonly height: number }): boolean =>
  width * height > large && 3 * width <= longestRow;

/** Sums rows of `length` bytes. */
export function createRowSums(length: number): RowSums {
  if (length > longestRow) return { most: 1, sum: (data, at) => data.subarray(at, at + length) };
  const sums = new Uint16Array(length);
  return {
    most: mostRows,
    sum(data, at, rows) {
      sums.fill(0);
      for (let i = at; i < at + rows * length; i += length) addRow(sums, data, i);
      return sums;
    },
  };
}

function addRow(sums: Uint16Array, data: Uint8Array, at: number): void {
  for (let i = 0; i < sums.length; i++) sums[i] = (sums[i] ?? 0) + (data[at + i] ?? 0);
}
