import { stripVTControlCharacters } from "node:util";
import stringWidth from "fast-string-width";

/** What fits a line, cut where it is too long. */
export function fit(line: string, columns: number): string {
  const plain = stripVTControlCharacters(line);
  if (stringWidth(plain) <= columns) return line;
  let cut = "";
  for (const letter of plain) {
    if (stringWidth(`${cut}${letter}…`) > columns) break;
    cut += letter;
  }
  return `${cut}…`;
}

/** Draws lines on a terminal in the place of the lines that it has drawn before. */
export function createRedraw(screen: { write(text: string): unknown }): (lines: readonly string[]) => void {
  let drawn = 0;
  return (lines) => {
    // Up to where it began; everything below is drawn again.
    const back = drawn === 0 ? "" : `\u001b[${drawn}F`;
    screen.write(`${back}\u001b[J${lines.join("\n")}\n`);
    drawn = lines.length;
  };
}
