import { type Character, columnsOf, createReader } from "./characters.ts";

export type Line = readonly Character[];

const widthOf = (line: Line): number => line.reduce((width, character) => width + columnsOf(character), 0);

const isSpace = ({ text }: Character): boolean => text === " ";

/** A line breaks after a space or a hyphen, and next to a Chinese character. */
const canBreak = (before: Character, after: Character): boolean =>
  isSpace(before) || before.text === "-" || columnsOf(before) === 2 || columnsOf(after) === 2;

/** The number of characters that the first line takes. */
function fitting(line: Line, columns: number): number {
  let width = 0;
  let breaking = 0;
  for (const [index, character] of line.entries()) {
    const before = line[index - 1];
    if (before !== undefined && canBreak(before, character)) breaking = index;
    width += columnsOf(character);
    // A space may hang over the edge.
    if (width > columns && !isSpace(character)) return breaking > 0 ? breaking : Math.max(1, index);
  }
  return line.length;
}

function trimEnd(line: Line): Line {
  const last = line.findLastIndex((character) => !isSpace(character));
  return line.slice(0, last + 1);
}

/** Wraps one line. Spaces at the beginning stay, those at a break go. */
function wrapLine(line: Line, columns: number): readonly Line[] {
  const lines: Line[] = [];
  let rest = line;
  while (widthOf(rest) > columns) {
    const length = fitting(rest, columns);
    lines.push(trimEnd(rest.slice(0, length)));
    rest = rest.slice(length);
  }
  return [...lines, trimEnd(rest)];
}

/** The lines of a text on paper, without the empty ones at its end. @param columns 2 or more */
export function wrapText(text: string, columns: number): readonly Line[] {
  const lines = text.split(/\r\n|\r|\n/);
  const last = lines.findLastIndex((line) => line !== "");
  const read = createReader();
  return lines.slice(0, last + 1).flatMap((line) => wrapLine(read(line), columns));
}
