/** Lines of the text of a picture: a character is twice as tall as wide. A half rounds up. */
export const linesOf = (width: number, height: number, columns: number): number =>
  Math.max(1, Math.floor((columns * height + width) / (2 * width)));

/**
 * The most columns whose text has at most `rows` lines.
 * @param picture the picture in pixels, upright
 * @param room the room in characters, each 1 or more
 */
export function columnsWithin(
  { width, height }: { readonly width: number; readonly height: number },
  { columns, rows }: { readonly columns: number; readonly rows: number },
): number {
  // linesOf(columns) <= rows is columns * height + width < 2 * width * (rows + 1).
  const most = Math.ceil((2 * width * (rows + 1) - width) / height) - 1;
  return Math.max(1, Math.min(columns, most));
}
