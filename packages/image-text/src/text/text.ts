import { averageCells, type Cells, type Pixels } from "./area.ts";
import { borderCodes } from "./border.ts";
import type { Algo, TextOptions } from "@telex/files/images";
import { grayCodes } from "./gray.ts";
import { linesOf } from "./lines.ts";
import { luma } from "./weights.ts";

/** A decoded picture as text, each line ending with CRLF (interface 4.3). */
export function textOf(pixels: Pixels, options: TextOptions): string {
  const { width, height } = pixels;
  return textOfCells(averageCells(pixels, options.col, linesOf(width, height, options.col), luma), options.algo);
}

/**
 * The cells of a picture as text, each line ending with CRLF.
 * @param cells averaged with the weights `luma`
 */
export function textOfCells(cells: Cells, algo: Algo): string {
  return linesOfCodes(algo === "gray" ? grayCodes(cells) : borderCodes(cells), cells.columns);
}

function linesOfCodes(codes: Uint8Array, columns: number): string {
  const rows = codes.length / columns;
  const text = new Uint8Array(rows * (columns + 2));
  for (let row = 0; row < rows; row++) {
    const at = row * (columns + 2);
    text.set(codes.subarray(row * columns, (row + 1) * columns), at);
    text[at + columns] = 0x0d;
    text[at + columns + 1] = 0x0a;
  }
  // Not `Buffer`: browsers draw pictures with this, too.
  return new TextDecoder().decode(text);
}
