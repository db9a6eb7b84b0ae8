import type { Cells } from "./area.ts";
import { charset, levelCodes } from "./charset.ts";

/**
 * `floor(Y * 74 / 256)` of each cell, of its exact average Y, as the code of a character (interface 4.3). With sums in
 * thousandths that is `floor(sum * 37 / (area * 128000))`. Both sides are whole numbers below 2^53 up to 70 megapixels,
 * and if the quotient is not a whole number, it is further from the next one than a double rounds, so the floor is exact.
 * @param cells averaged with the weights `luma`
 */
export function grayCodes(cells: Cells): Uint8Array {
  const whole = cells.area * 128_000;
  return Uint8Array.from(cells.sums, (sum) => levelCodes[Math.floor((sum * (charset.length / 2)) / whole)] ?? 0);
}
