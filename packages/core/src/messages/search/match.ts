import type { QueryWord } from "./query.ts";
import type { Sound } from "./syllables.ts";
import type { HanUnit, Unit, WordUnit } from "./units.ts";

/** Where a word was found in a text: UTF-16 offsets. */
export interface TextMatch {
  readonly start: number;
  readonly end: number;
}

/** Called for each way in which a unit takes a part of the word: how far into the word that leads, and where it ends. */
type Take = (to: number, end: number) => void;

const isTwoLetters = (syllable: string): boolean => syllable.charAt(1) === "h" && "zcs".includes(syllable.charAt(0));

/** How many letters of the word, from here on, are those of the syllable: `ü`, `v` and `u` are equal. */
function sharedLetters(word: QueryWord, from: number, syllable: string): number {
  let shared = 0;
  while (shared < syllable.length) {
    const letter = word[from + shared]?.text;
    const ofSyllable = syllable.charAt(shared);
    if (letter !== ofSyllable && (letter !== "v" || ofSyllable !== "u")) break;
    shared += 1;
  }
  return shared;
}

const isTone = (text: string | undefined, tones: string): boolean =>
  text !== undefined && (tones.includes(text) || (text === "5" && tones.includes("0")));

/** How one syllable of a character takes letters: whole, with its tone, its initial, or cut at the end of the word. */
function takeSound({ syllable: { text }, tones }: Sound, word: QueryWord, from: number, take: Take, end: number): void {
  const shared = sharedLetters(word, from, text);
  if (shared === 0) return;
  take(from + 1, end);
  if (shared >= 2 && isTwoLetters(text)) take(from + 2, end);
  if (shared === text.length || from + shared === word.length) take(from + shared, end);
  if (shared === text.length && isTone(word[from + shared]?.text, tones)) take(from + shared + 1, end);
}

function takeHan({ reading: { character, sounds }, end }: HanUnit, word: QueryWord, from: number, take: Take): void {
  const wanted = word[from];
  if (wanted === undefined) return;
  if (wanted.text === character) take(from + 1, end);
  else if (!wanted.isHan) for (const sound of sounds) takeSound(sound, word, from, take, end);
}

/** A word of the text is taken whole, or from its beginning if the query word ends there. */
function takeWord({ letters, ends }: WordUnit, word: QueryWord, from: number, take: Take): void {
  let shared = 0;
  while (shared < letters.length && letters[shared] === word[from + shared]?.text) shared += 1;
  const to = from + shared;
  if (shared > 0 && (shared === letters.length || to === word.length)) take(to, ends[shared - 1] ?? 0);
}

/** How far matches have come that are in progress: for each number of characters of the word where the first one began. */
type Begun = Map<number, number>;

/** The first places of a text, at most `limit`, at which a word of a query is found. They do not overlap. */
export function findWord(units: readonly Unit[], word: QueryWord, limit: number): readonly TextMatch[] {
  const found: TextMatch[] = [];
  let begun: Begun = new Map();
  for (const unit of units) {
    const next: Begun = new Map();
    let match: TextMatch | null = null;
    const takeAt = (from: number, start: number): void => {
      const take: Take = (to, end) => {
        if (to === word.length) match ??= { start, end };
        else if (!next.has(to)) next.set(to, start);
      };
      if (unit.kind === "han") takeHan(unit, word, from, take);
      else takeWord(unit, word, from, take);
    };
    if (unit.isJoined) for (const [from, start] of begun) takeAt(from, start);
    takeAt(0, unit.start);
    begun = match === null ? next : new Map();
    if (match !== null) found.push(match);
    if (found.length === limit) break;
  }
  return found;
}
