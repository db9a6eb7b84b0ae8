import { mostRows, type RowSums } from "../text/rows.ts";
import { createKernel, type Kernel } from "./kernel.ts";

/** Sums rows of `length` bytes in a kernel, as `createRowSums` does. */
export function createKernelSums(length: number): RowSums {
  const kernel = createKernel([2 * length, length]);
  const [sums = 0, row = 0] = kernel.areas;
  return sumsIn(kernel, { length, sums, row });
}

/**
 * Sums rows of `length` bytes in a kernel that does other work, too.
 * @param areas addresses: `sums` of `2 * length` bytes, and `row` of `length` bytes for a row that is not in its memory yet
 */
export function sumsIn(
  { bytes, addRow }: Kernel,
  { length, sums, row }: { readonly length: number; readonly sums: number; readonly row: number },
): RowSums {
  const totals = new Uint16Array(bytes.buffer, sums, length);
  return {
    most: mostRows,
    sum(data, at, rows) {
      totals.fill(0);
      const isHere = data.buffer === bytes.buffer;
      for (let i = at; i < at + rows * length; i += length) {
        if (!isHere) bytes.set(data.subarray(i, i + length), row);
        addRow(isHere ? data.byteOffset + i : row, length, sums);
      }
      return totals;
    },
  };
}
