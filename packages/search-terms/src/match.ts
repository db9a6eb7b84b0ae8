import type { QueryWord } from "./query.ts";
import type { Sound } from "./syllables.ts";
import type { HanUnit, Unit, WordUnit } from "./units.ts";
import { stepsOfPart, letterU, letterV, isTwoLetters, isTone, Begun } from "./begun.ts";

/** Where a word was found in a text: UTF-16 offsets. */
export interface TextMatch {
  readonly start: number;
  readonly end: number;
}

/** Looks for a word part by part: yields the work of each part, in steps of a match that were tried, and finally returns the matches. */
export type Finding<T> = Generator<number, readonly T[]>;

/** Takes the units of a text one after the other. A word may have 128 characters, and each of them may be where a match is. */
class Matching {
  readonly #word: QueryWord;
  /** The code points of the word. */
  readonly #codes: readonly number[];
  #begun: Begun;
  #next: Begun;
  /** The start of the match that is being extended. */
  #start = 0;
  #match: TextMatch | null = null;

  constructor(word: QueryWord) {
    this.#word = word;
    this.#codes = word.map(({ text }) => text.codePointAt(0) ?? 0);
    this.#begun = new Begun(word.length);
    this.#next = new Begun(word.length);
  }

  /** The steps that it takes to match this unit. */
  steps(unit: Unit): number {
    const letters = unit.kind === "word" ? Math.min(unit.letters.length, this.#word.length) : 1;
    return (this.#begun.lengths.length + 1) * letters;
  }

  /** The match that ends with this unit, or null. */
  take(unit: Unit): TextMatch | null {
    this.#match = null;
    if (unit.isJoined) for (const from of this.#begun.lengths) this.#takeAt(unit, from, this.#begun.startOf(from));
    this.#takeAt(unit, 0, unit.start);
    this.#begun.clear();
    if (this.#match !== null) this.#next.clear();
    [this.#begun, this.#next] = [this.#next, this.#begun];
    return this.#match;
  }

  #takeAt(unit: Unit, from: number, start: number): void {
    this.#start = start;
    if (unit.kind === "han") this.#takeHan(unit, from);
    else this.#takeWord(unit, from);
  }

  /** The word is taken up to a place, by a unit that ends there. */
  #taken(to: number, end: number): void {
    if (to < this.#word.length) this.#next.add(to, this.#start);
    else this.#match ??= { start: this.#start, end };
  }

  #takeHan({ reading: { character, sounds }, end }: HanUnit, from: number): void {
    const wanted = this.#word[from];
    if (wanted === undefined) return;
    if (wanted.text === character) this.#taken(from + 1, end);
    else if (!wanted.isHan) for (const sound of sounds) this.#takeSound(sound, from, end);
  }

  /** The ways in which one syllable of a character takes letters: whole, with its tone, its initial, or cut at the end of the word. */
  #takeSound({ syllable: { text }, tones }: Sound, from: number, end: number): void {
    const shared = this.#sharedLetters(from, text);
    if (shared === 0) return;
    this.#taken(from + 1, end);
    if (shared >= 2 && isTwoLetters(text)) this.#taken(from + 2, end);
    if (shared === text.length || from + shared === this.#word.length) this.#taken(from + shared, end);
    if (shared === text.length && isTone(this.#codes[from + shared], tones)) this.#taken(from + shared + 1, end);
  }

  /** The number of letters of the word, from here, that are those of the syllable: `ü`, `v` and `u` are equal. */
  #sharedLetters(from: number, syllable: string): number {
    let shared = 0;
    while (shared < syllable.length) {
      const letter = this.#codes[from + shared];
      const ofSyllable = syllable.codePointAt(shared);
      if (letter !== ofSyllable && (letter !== letterV || ofSyllable !== letterU)) break;
      shared += 1;
    }
    return shared;
  }

  /** A word of the text is taken whole, or from its beginning if the query word ends there. */
  #takeWord({ letters, ends }: WordUnit, from: number): void {
    let shared = 0;
    while (shared < letters.length && letters[shared] === this.#word[from + shared]?.text) shared += 1;
    const to = from + shared;
    if (shared > 0 && (shared === letters.length || to === this.#word.length)) this.#taken(to, ends[shared - 1] ?? 0);
  }
}

/** The first places of a text, at most `limit`, at which a word of a query is found. They do not overlap. */
export function* findWord(units: readonly Unit[], word: QueryWord, limit: number): Finding<TextMatch> {
  const matches: TextMatch[] = [];
  const matching = new Matching(word);
  let steps = 0;
  for (const unit of units) {
    steps += matching.steps(unit);
    const match = matching.take(unit);
    if (match !== null) matches.push(match);
    if (matches.length === limit) break;
    if (steps < stepsOfPart) continue;
    yield steps;
    steps = 0;
  }
  yield steps;
  return matches;
}
