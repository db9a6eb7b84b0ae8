import type { CharacterForm, QueryCharacter, QueryWord } from "./query.ts";
import { type Syllable, syllablesFrom } from "./syllables.ts";
import {
  beginningTerms,
  characterTerm,
  codeOf,
  initialsTerm,
  initialTerm,
  longestBeginning,
  syllablesTerm,
  syllableTerm,
  wholeWordTerm,
  wordHash,
} from "./term-numbers.ts";

/** The terms of one way to spell a word: a message that contains it so has all of them. */
export type Spelling = readonly number[];

/** One way in which a unit of a text takes a part of a query word. */
interface Taking {
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
function* takingHan(character: QueryCharacter, from: number): Generator<Taking> {
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

const takingInitial = (initial: string, to: number): Taking => ({
  to,
  terms: [initialTerm(codeOf(initial))],
  initial,
  syllable: null,
  isWord: false,
});

/** No syllable begins with another letter. */
const beginsSyllable = (letter: string): boolean => /^[a-hj-tw-z]$/.test(letter);

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
    } else if (isLast && letters.length >= cutFrom && syllable.text.startsWith(letters)) {
      yield takingSyllable(syllable, word.length);
    }
  }
}

/** Letters that are a word of the text: the beginning of one, or a whole one before Chinese characters. */
function* takingWords(word: QueryWord, run: QueryWord, from: number): Generator<Taking> {
  const letters = run.map(({ text }) => text);
  const taking = { initial: letters[0] ?? null, syllable: null, isWord: true };
  const isLong = letters.length >= longestBeginning;
  if (isLong || from + letters.length === word.length) {
    yield { ...taking, to: word.length, terms: beginningTerms(letters) };
  }
  for (let length = 1; length <= letters.length && length < longestBeginning; length += 1) {
    const to = from + length;
    if (to < word.length) yield { ...taking, to, terms: [wholeWordTerm(wordHash(letters.slice(0, length)))] };
  }
}

function* takingsAt(word: QueryWord, from: number, before: Taking | null): Generator<Taking> {
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

function pairTerms(first: Taking | null, second: Taking): number[] {
  if (first === null) return [];
  const terms: number[] = [];
  if (first.initial !== null && second.initial !== null)
    terms.push(initialsTerm(codeOf(first.initial), codeOf(second.initial)));
  if (first.syllable !== null && second.syllable !== null) terms.push(syllablesTerm(first.syllable, second.syllable));
  return terms;
}

interface Walk {
  readonly from: number;
  readonly before: Taking | null;
  readonly takings: readonly Taking[];
}

/**
 * The terms of units next to each other, those that few messages have first: a store stops at the first one that a message
 * lacks. Pairs of syllables are rarest. The longest beginning of a word is rarer than the others.
 */
function spellingOf(takings: readonly Taking[]): Spelling {
  const pairs = takings.flatMap((taking, place) => pairTerms(takings[place - 1] ?? null, taking));
  const own = takings.flatMap(({ terms, initial, syllable, isWord }) =>
    syllable === null && initial !== null && !isWord ? [] : terms.toReversed(),
  );
  return [...new Set([...pairs.toReversed(), ...own, ...takings.flatMap(({ terms }) => terms)])];
}

/** A word of the text is followed by a Chinese character. Its syllable does not count, so that there are few spellings. */
function* takingsAfterWord(word: QueryWord, from: number): Generator<Taking> {
  const character = word[from];
  if (character === undefined) return;
  if (character.isHan) yield* takingHan(character, from);
  else if (beginsSyllable(character.text)) yield takingInitial(character.text, from + 1);
}

/** The spellings of a word, by what its first `depth` units may be. A word of the text is rare enough with what follows it. */
function* walk(word: QueryWord, { from, before, takings }: Walk, depth: number): Generator<Spelling> {
  for (const taking of takingsAt(word, from, before)) {
    const all = [...takings, taking];
    if (taking.to === word.length || (depth === 1 && !taking.isWord)) yield spellingOf(all);
    else if (taking.isWord) for (const next of takingsAfterWord(word, taking.to)) yield spellingOf([...all, next]);
    else yield* walk(word, { from: taking.to, before: taking, takings: all }, depth - 1);
  }
}

/** The most spellings of a word. Beyond, fewer characters of the word count. */
const mostSpellings = 48;
const deepest = 6;

/**
 * The ways to spell a word of a query, as terms: a text that contains the word has all terms of at least one of them. How many
 * there are is bounded, however long the word is.
 */
export function spellingsOf(word: QueryWord): readonly Spelling[] {
  for (let depth = deepest; ; depth -= 1) {
    const spellings = [...walk(word, { from: 0, before: null, takings: [] }, depth).take(mostSpellings + 1)];
    if (depth === 1 || spellings.length <= mostSpellings) return spellings;
  }
}
