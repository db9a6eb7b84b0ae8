/** The description of a text picture for screen readers. */
interface Picture {
  readonly lines: number;
  /** The length of the longest line in code points. */
  readonly columns: number;
}

const fewestLines = 3;
const fewestColumns = 12;
/** Box drawing, blocks, geometric shapes and braille; three equal symbols in a row, which no word contains; or a gap within a line. */
const drawn = /[\u2500-\u25ff\u2800-\u28ff]|([^\p{L}\p{N}\s.])\1{2}|\S {2,}\S|^ {3,}\S/u;

function splitLines(content: string): string[] {
  const lines = content.split(/\r\n|\r|\n/);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

const width = (line: string): number => Array.from(line).length;

/** True if most of the non-empty lines are drawn. */
function isDrawn(lines: readonly string[]): boolean {
  const filled = lines.filter((line) => line.trim() !== "");
  return filled.filter((line) => drawn.test(line)).length * 2 > filled.length;
}

/**
 * Detects a text picture, whose lines must not wrap: either all lines have the same width, as image-to-text produces them, or most lines
 * are drawn. Returns null for prose, lists and code.
 */
export function pictureIn(content: string): Picture | null {
  const lines = splitLines(content);
  if (lines.length < fewestLines) return null;
  const widths = lines.map(width);
  const columns = Math.max(...widths);
  if (columns < fewestColumns) return null;
  const isEven = widths.every((each) => each === columns);
  return isEven || isDrawn(lines) ? { lines: lines.length, columns } : null;
}
