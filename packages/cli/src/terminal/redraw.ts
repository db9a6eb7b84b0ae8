import { stripVTControlCharacters } from "node:util";
import stringWidth from "fast-string-width";

/** Cuts a line that is too long for the terminal. */
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

/** Draws lines on a terminal over the lines that it drew before. */
export function createRedraw(screen: { write(text: string): unknown }): (lines: readonly string[]) => void {
  let drawn = 0;
  return (lines) => {
    // Moves to the first drawn line and clears everything below.
    const back = drawn === 0 ? "" : `\u001b[${drawn}F`;
    screen.write(`${back}\u001b[J${lines.join("\n")}\n`);
    drawn = lines.length;
  };
}
