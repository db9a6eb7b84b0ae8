import { Html } from "../html.ts";

/** The holes of the letters in the International Telegraph Alphabet No. 2, the first one at the top. */
const holes: Readonly<Record<string, string>> = { T: "00001", E: "10000", L: "01001", X: "10111", " ": "00100" };

const word = "  TELEX   TELEX   TELEX  ";
const pitch = 10;
/** Heights of the five holes; the small one that moves the tape is after the third. */
const rows = [8, 18, 28, 44, 54];

/** A line without length is drawn as a dot by its round ends. */
const dots = (places: readonly string[]): string => places.map((place) => `M${place}h0`).join("");

const columns = Array.from(word, (letter, index) => ({ x: (index + 1) * pitch, code: holes[letter] ?? "" }));
const letters = columns.flatMap(({ x, code }) => rows.filter((_, row) => code[row] === "1").map((y) => `${x} ${y}`));
const guides = columns.map(({ x }) => `${x} 36`);
const width = (word.length + 1) * pitch;

/** A strip of punched tape that says TELEX. An ornament: screen readers skip it. */
export const tape = new Html(
  `<svg class="tape" viewBox="0 0 ${width} 62" aria-hidden="true"><path class="strip" d="M0 0h${width}v62H0z"/><path class="holes" d="${dots(letters)}"/><path class="guides" d="${dots(guides)}"/></svg>`,
);
