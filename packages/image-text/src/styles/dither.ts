import type { Grid } from "./tones.ts";

/**
 * Floyd-Steinberg: calls `choose` for every cell, row by row, with its value and what its neighbours' errors add to it;
 * `choose` returns the value that it could show, and the difference goes on to the neighbours. Rows alternate in
 * direction, so that errors form no slanting lines.
 */
export function dither(grid: Grid, choose: (at: number, wanted: number) => number): void {
  const { values, columns, rows } = grid;
  const wanted = Float64Array.from(values);
  const give = (column: number, row: number, error: number): void => {
    if (column < 0 || column >= columns || row >= rows) return;
    const at = row * columns + column;
    wanted[at] = (wanted[at] ?? 0) + error;
  };
  for (let row = 0; row < rows; row++) {
    const step = row % 2 === 0 ? 1 : -1;
    for (let i = 0; i < columns; i++) {
      const column = step === 1 ? i : columns - 1 - i;
      const at = row * columns + column;
      const value = wanted[at] ?? 0;
      const error = value - choose(at, value);
      give(column + step, row, (error * 7) / 16);
      give(column - step, row + 1, (error * 3) / 16);
      give(column, row + 1, (error * 5) / 16);
      give(column + step, row + 1, error / 16);
    }
  }
}
