import type { Cells } from "./area.ts";
import { brightest, darkest } from "./charset.ts";

/** The Sobel gradient of every cell: whole numbers, in the unit of the cells' sums. */
interface Gradients {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/**
 * `?` if the Sobel magnitude of a cell is greater than a seventh of the greatest one, otherwise a space (interface 4.3).
 * Squares are compared, so that no root is taken: `magnitude > max / 7` is `49 * magnitude² > max²`.
 * @param cells averaged with the weights `luma`
 */
export function borderCodes(cells: Cells): Uint8Array {
  const gradients = sobel(cells);
  const greatest = greatestOf(gradients);
  return Uint8Array.from(gradients.x, (x, i) =>
    compareSquares(49, [x, gradients.y[i] ?? 0], greatest) > 0 ? brightest : darkest,
  );
}

function sobel({ sums, columns, rows }: Cells): Gradients {
  const gradients: Gradients = { x: new Float64Array(sums.length), y: new Float64Array(sums.length) };
  for (let row = 0; row < rows; row++) {
    const above = Math.max(row - 1, 0) * columns;
    const here = row * columns;
    const below = Math.min(row + 1, rows - 1) * columns;
    for (let i = 0; i < columns; i++) {
      const left = Math.max(i - 1, 0);
      const right = Math.min(i + 1, columns - 1);
      const at = (line: number, column: number): number => sums[line + column] ?? 0;
      const down = (column: number): number => at(above, column) + 2 * at(here, column) + at(below, column);
      const across = (line: number): number => at(line, left) + 2 * at(line, i) + at(line, right);
      gradients.x[here + i] = down(right) - down(left);
      gradients.y[here + i] = across(below) - across(above);
    }
  }
  return gradients;
}

type Gradient = readonly [x: number, y: number];

function greatestOf({ x, y }: Gradients): Gradient {
  let greatest: Gradient = [0, 0];
  for (let i = 0; i < x.length; i++) {
    const here: Gradient = [Math.abs(x[i] ?? 0), Math.abs(y[i] ?? 0)];
    const isUniform = here[0] === greatest[0] && here[1] === greatest[1];
    if (!isUniform && compareSquares(1, here, greatest) > 0) greatest = here;
  }
  return greatest;
}

/**
 * The sign of `factor * |a|² - |b|²`. Doubles decide if the difference is clear; squares exceed 2^53, so close cases are
 * computed in whole numbers of any size.
 */
function compareSquares(factor: number, a: Gradient, b: Gradient): number {
  const left = factor * (a[0] * a[0] + a[1] * a[1]);
  const right = b[0] * b[0] + b[1] * b[1];
  const difference = left - right;
  // Each side is off by less than five roundings of 2^-53.
  if (Math.abs(difference) > 1e-14 * (left + right)) return difference;
  return Number(BigInt(factor) * exactSquare(a) - exactSquare(b));
}

const exactSquare = ([x, y]: Gradient): bigint => BigInt(x) ** 2n + BigInt(y) ** 2n;
