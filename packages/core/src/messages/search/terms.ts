import type { QueryCharacter, QueryWord } from "./query.ts";
import { type Syllable, syllables } from "./syllables.ts";
import type { Unit } from "./units.ts";

/** The terms of one way to spell a word: a message that contains it so has all of them. */
export type Spelling = readonly number[];

/*
 * A term is a number of 32 bits for something that a message contains. Two things may have one number: code that looks for terms
 * finds every message that matches, and some that do not. What the numbers stand for must not change without a new index.
 */

const kinds = {
  character: 1,
  syllable: 2,
  syllables: 3,
  initial: 4,
  initials: 5,
  beginning: 6,
  wholeWord: 7,
  sender: 8,
};

function mix(kind: number, first: number, second = 0): number {
  let hash = Math.imul(first ^ Math.imul(kind, 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15) ^ Math.imul(second + 1, 0xc2b2ae35), 0x27d4eb2f);
  hash = Math.imul(hash ^ (hash >>> 13), 0x165667b1);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const codeOf = (character: string): number => character.codePointAt(0) ?? 0;
const hashOf = (characters: readonly string[]): number =>
  characters.reduce((hash, character) => Math.imul(hash ^ codeOf(character), 0x01000193), 0x811c9dc5);

/** Letters of the longest beginning of a word that is a term. */
const longestBeginning = 8;
const isBeginning = (length: number): boolean => length < 5 || length === 6 || length === longestBeginning;

const characterTerm = (character: string): number => mix(kinds.character, codeOf(character));
const syllableTerm = ({ number }: Syllable): number => mix(kinds.syllable, number);
const syllablesTerm = (first: Syllable, second: Syllable): number => mix(kinds.syllables, first.number, second.number);
const initialTerm = (initial: string): number => mix(kinds.initial, codeOf(initial));
const initialsTerm = (first: string, second: string): number => mix(kinds.initials, codeOf(first), codeOf(second));
const wholeWordTerm = (letters: readonly string[]): number => mix(kinds.wholeWord, hashOf(letters));

/** The term of the messages of a sender. */
export const senderTerm = (userId: string, external: boolean): number =>
  mix(kinds.sender, hashOf([...userId]), Number(external));

/** The terms of the beginnings of a word of at least this many letters. */
function beginningTerms(letters: readonly string[]): number[] {
  const terms: number[] = [];
  let hash = 0x811c9dc5;
  let length = 0;
  for (const letter of letters.length > longestBeginning ? letters.slice(0, longestBeginning) : letters) {
    hash = Math.imul(hash ^ codeOf(letter), 0x01000193);
    length += 1;
    if (isBeginning(length)) terms.push(mix(kinds.beginning, hash));
  }
  return terms;
}

const initialsOf = (unit: Unit): readonly string[] =>
  unit.kind === "word" ? unit.letters.slice(0, 1) : unit.syllables.map(({ initial }) => initial);

/** What two neighbours have together. */
function pushPair(terms: number[], first: Unit, second: Unit): void {
  const seconds = initialsOf(second);
  for (const a of initialsOf(first)) for (const b of seconds) terms.push(initialsTerm(a, b));
  if (second.kind === "word") return;
  if (first.kind === "word") {
    if (first.letters.length < longestBeginning) terms.push(wholeWordTerm(first.letters));
    return;
  }
  for (const a of first.syllables) for (const b of second.syllables) terms.push(syllablesTerm(a, b));
}

/** Adds the terms of a text, some of them several times. */
export function pushTerms(terms: number[], units: readonly Unit[]): void {
  const letters = new Set<string>();
  let before: Unit | null = null;
  for (const unit of units) {
    if (unit.kind === "word") terms.push(...beginningTerms(unit.letters));
    else {
      terms.push(characterTerm(unit.character));
      for (const syllable of unit.syllables) {
        terms.push(syllableTerm(syllable));
        letters.add(syllable.initial);
      }
    }
    if (before !== null && unit.isJoined) pushPair(terms, before, unit);
    before = unit;
  }
  for (const letter of letters) terms.push(initialTerm(letter));
}

/** How one unit of a text may take a part of a query word. */
interface Taking {
  /** How much of the word is taken then; the length of the word also where the rest is not looked at. */
  readonly to: number;
  readonly terms: readonly number[];
  readonly initial: string | null;
  readonly syllable: Syllable | null;
  readonly isWord: boolean;
}

const textOf = (characters: QueryWord): string => characters.map(({ text }) => text).join("");

function takingHan({ text, syllable }: QueryCharacter, from: number): Taking {
  const initial = syllable?.initial ?? null;
  return { to: from + 1, terms: [characterTerm(text)], initial, syllable, isWord: false };
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
  terms: [initialTerm(initial)],
  initial,
  syllable: null,
  isWord: false,
});

/** Letters that are pinyin: whole syllables, initials, and at the end of the word a syllable that is cut. */
function* takingPinyin(word: QueryWord, letters: string, from: number): Generator<Taking> {
  const first = letters.charAt(0);
  // No syllable begins with another letter.
  if (!/[a-hj-tw-z]/.test(first)) return;
  yield takingInitial(first, from + 1);
  const isTwo = /^[zcs]h/.test(letters);
  if (isTwo) yield takingInitial(first, from + 2);
  const isLast = from + letters.length === word.length;
  const cutFrom = isTwo ? 3 : 2;
  for (const syllable of syllables.values()) {
    const { length } = syllable.text;
    if (letters.startsWith(syllable.text)) {
      yield takingSyllable(syllable, from + length);
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
    if (to < word.length) yield { ...taking, to, terms: [wholeWordTerm(letters.slice(0, length))] };
  }
}

function* takingsAt(word: QueryWord, from: number, before: Taking | null): Generator<Taking> {
  const character = word[from];
  if (character === undefined) return;
  if (character.isHan) {
    yield takingHan(character, from);
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
  if (first.initial !== null && second.initial !== null) terms.push(initialsTerm(first.initial, second.initial));
  if (first.syllable !== null && second.syllable !== null) terms.push(syllablesTerm(first.syllable, second.syllable));
  return terms;
}

interface Walk {
  readonly from: number;
  readonly before: Taking | null;
  readonly terms: readonly number[];
}

/** The spellings of a word, by what its first `depth` units may be. */
function* walk(word: QueryWord, { from, before, terms }: Walk, depth: number): Generator<Spelling> {
  for (const taking of takingsAt(word, from, before)) {
    const all = [...terms, ...pairTerms(before, taking), ...taking.terms];
    if (taking.to === word.length || depth === 1) yield [...new Set(all)];
    else yield* walk(word, { from: taking.to, before: taking, terms: all }, depth - 1);
  }
}

/** How many spellings of a word are looked for. Beyond, fewer characters of the word count. */
const mostSpellings = 48;
const deepest = 4;

/**
 * The ways to spell a word of a query, as terms: a text that contains the word has all terms of at least one of them. How many
 * there are is bounded, however long the word is.
 */
export function spellingsOf(word: QueryWord): readonly Spelling[] {
  for (let depth = deepest; ; depth -= 1) {
    const spellings = [...walk(word, { from: 0, before: null, terms: [] }, depth).take(mostSpellings + 1)];
    if (depth === 1 || spellings.length <= mostSpellings) return spellings;
  }
}
