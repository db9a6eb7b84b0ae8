import { pinyin } from "pinyin-pro";
import { createSimplifier } from "../src/traditional.ts";

/*
 * A second implementation of the search for the tests, which lists all ways to write a character, without
 * an index, and without parts of the search itself.
 */

const simplifier = createSimplifier();

const plain = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036F\u3099\u309A\uFE0F]/g, "")
    .toUpperCase()
    .toLowerCase();

const isHan = (character: string): boolean => /^\p{Script=Han}$/u.test(character);

/** Everything that may be written for a part of a text, and what may be written if the query ends with it. */
interface Part {
  readonly whole: readonly string[];
  readonly last: readonly string[];
}

const prefixes = (text: string): string[] => Array.from(text, (_, index) => text.slice(0, index + 1));

const dictionary = new Map<string, readonly string[]>();

function readingsOf(character: string): readonly string[] {
  const readings = dictionary.get(character) ?? pinyin(character, { type: "array", multiple: true, toneType: "num" });
  dictionary.set(character, readings);
  return readings;
}

function partOfHan(character: string, stored: string): Part {
  const given = [...readingsOf(character), stored];
  const readings = given.filter((reading) => /^[a-zü]+\d$/.test(reading)).map((reading) => reading.replace("ü", "u"));
  const whole = readings.flatMap((reading) => {
    const letters = reading.slice(0, -1);
    const initial = /^[zcs]h/.test(letters) ? [letters.slice(0, 2)] : [];
    const tones = reading.endsWith("0") ? [reading, `${letters}5`] : [reading];
    return [letters.charAt(0), ...initial, letters, ...tones];
  });
  const all = [simplifier.character(character), ...whole];
  return { whole: all, last: [...all, ...readings.flatMap((reading) => prefixes(reading.slice(0, -1)))] };
}

/** The parts of a text, in the runs in which nothing is between them. */
function runsOf(text: string): Part[][] {
  const stored = pinyin(simplifier.text(text), { type: "array", toneType: "num" });
  const runs: Part[][] = [[]];
  let word = "";
  const endWord = (): void => {
    if (word !== "") runs.at(-1)?.push({ whole: [word], last: prefixes(word) });
    word = "";
  };
  for (const [index, character] of Array.from(text).entries()) {
    const letters = plain(character);
    if (isHan(character)) {
      endWord();
      runs.at(-1)?.push(partOfHan(character, stored[index] ?? ""));
    } else if (/^[\p{L}\p{N}]*$/u.test(letters)) word += letters;
    else {
      endWord();
      runs.push([]);
    }
  }
  endWord();
  return runs;
}

/** Only in pinyin, `v` may be `u`. */
const startsWith = (rest: string, written: string, isPinyin: boolean): boolean =>
  (isPinyin ? rest.slice(0, written.length).replaceAll("v", "u") : rest.slice(0, written.length)) === written;

function continues(run: readonly Part[], at: number, rest: string): boolean {
  const part = run[at];
  if (part === undefined) return false;
  const isPinyin = part.whole.length > 1;
  if (part.last.some((written) => written.length === rest.length && startsWith(rest, written, isPinyin))) return true;
  return part.whole.some(
    (written) => startsWith(rest, written, isPinyin) && continues(run, at + 1, rest.slice(written.length)),
  );
}

/** True if a text contains a query word. */
export const containsWord = (text: string, word: string): boolean => {
  const wanted = Array.from(plain(word), (character) => simplifier.character(character)).join("");
  return runsOf(text).some((run) => run.some((_, at) => continues(run, at, wanted)));
};
