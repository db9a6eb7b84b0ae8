import type { CharacterForm, QueryCharacter, QueryWord } from "./query.ts";
import { type Syllable, syllablesFrom } from "./syllables.ts";
import {
  beginningTerms,
  characterTerm,
  codeOf,
  initialTerm,
  longestBeginning,
  syllableTerm,
  wholeWordTerm,
  wordHash,
} from "./term-numbers.ts";

/** One way in which a unit of a text takes a part of a query word. */
export interface Taking {
  /** The end of the part that is taken; the length of the word also where the rest is ignored. */
  readonly to: number;
  readonly terms: readonly number[];
  readonly initial: string | null;
  readonly syllable: Syllable | null;
  readonly isWord: boolean;
}

const textOf = (characters: QueryWord): string => characters.map(({ text }) => text).join("");

function takingForm({ text, syllable }: CharacterForm, from: number): Taking {
  const initial = syllable?.initial ?? null;
  return { to: from + 1, terms: [characterTerm(text)], initial, syllable, isWord: false };
}

/** A message that an earlier version has indexed may have only the term of the traditional form. */
export function* takingHan(character: QueryCharacter, from: number): Generator<Taking> {
  yield takingForm(character, from);
  if (character.traditional !== null) yield takingForm(character.traditional, from);
}

const takingSyllable = (syllable: Syllable, to: number): Taking => ({
  to,
  terms: [syllableTerm(syllable)],
  initial: syllable.initial,
  syllable,
  isWord: false,
});

export const takingInitial = (initial: string, to: number): Taking => ({
  to,
  terms: [initialTerm(codeOf(initial))],
  initial,
  syllable: null,
  isWord: false,
});

/** No syllable begins with another letter. */
export const beginsSyllable = (letter: string): boolean => /^[a-hj-tw-z]$/.test(letter);

/** Letters that are pinyin: whole syllables, initials, and at the end of the word a syllable that is cut. */
function* takingPinyin(word: QueryWord, letters: string, from: number): Generator<Taking> {
  const first = letters.charAt(0);
  if (!beginsSyllable(first)) return;
  yield takingInitial(first, from + 1);
  const isTwo = /^[zcs]h/.test(letters);
  if (isTwo) yield takingInitial(first, from + 2);
  const isLast = from + letters.length === word.length;
  const cutFrom = isTwo ? 3 : 2;
  for (const syllable of syllablesFrom.get(first) ?? []) {
    const { length } = syllable.text;
    if (letters.startsWith(syllable.text)) {
      // A syllable of one letter is an initial, too.
      if (length > 1) yield takingSyllable(syllable, from + length);
      if (/[0-5]/.test(letters.charAt(length))) yield takingSyllable(syllable, from + length + 1);
    } else if (isLast && letters.length >= cutFrom && syllable.text.startsWith(letters))
      yield takingSyllable(syllable, word.length);
  }
}

/** Letters that are a word of the text: the beginning of one, or a whole one before Chinese characters. */
function* takingWords(word: QueryWord, run: QueryWord, from: number): Generator<Taking> {
  const letters = run.map(({ text }) => text);
  const taking = { initial: letters[0] ?? null, syllable: null, isWord: true };
  const isLong = letters.length >= longestBeginning;
  if (isLong || from + letters.length === word.length)
    yield { ...taking, to: word.length, terms: beginningTerms(letters) };
  for (let length = 1; length <= letters.length && length < longestBeginning; length += 1) {
    const to = from + length;
    if (to < word.length) yield { ...taking, to, terms: [wholeWordTerm(wordHash(letters.slice(0, length)))] };
  }
}

export function* takingsAt(word: QueryWord, from: number, before: Taking | null): Generator<Taking> {
  const character = word[from];
  if (character === undefined) return;
  if (character.isHan) {
    yield* takingHan(character, from);
    return;
  }
  const rest = word.slice(from);
  const end = rest.findIndex(({ isHan }) => isHan);
  const run = end === -1 ? rest : rest.slice(0, end);
  // Only `v` has another meaning in pinyin.
  yield* takingPinyin(word, textOf(run).replaceAll("v", "u"), from);
  // Two words of a text are never neighbours.
  if (before?.isWord !== true) yield* takingWords(word, run, from);
}
