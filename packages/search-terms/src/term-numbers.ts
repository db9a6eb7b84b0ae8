import type { Syllable } from "./syllables.ts";

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

/** The number of something, as the first of two. */
function asFirst(kind: number, first: number): number {
  const hash = Math.imul(first ^ Math.imul(kind, 0x9e3779b1), 0x85ebca6b);
  return hash ^ (hash >>> 15);
}

/** The number of something, as the second of two. */
const asSecond = (second: number): number => Math.imul(second + 1, 0xc2b2ae35);

/** The term of two things, by their numbers as the first and as the second. */
function join(first: number, second: number): number {
  let hash = Math.imul(first ^ second, 0x27d4eb2f);
  hash = Math.imul(hash ^ (hash >>> 13), 0x165667b1);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const mix = (kind: number, first: number, second = 0): number => join(asFirst(kind, first), asSecond(second));

/** The code point of a character. */
export const codeOf = (character: string): number => character.codePointAt(0) ?? 0;

const emptyHash = 0x811c9dc5 | 0;

/** The letters of a word, as a number. */
export class WordHash {
  value = emptyHash;
  length = 0;

  /** Adds a letter, by its code point. */
  add(letter: number): void {
    this.value = Math.imul(this.value ^ letter, 0x01000193);
    this.length += 1;
  }

  clear(): void {
    this.value = emptyHash;
    this.length = 0;
  }
}

/** A syllable, or an initial, as what is next to others: most of the work on the terms of its pairs. */
export interface Neighbour {
  readonly first: number;
  readonly second: number;
}

/** An initial, by its code point, next to other initials. */
export const initialNeighbour = (initial: number): Neighbour => ({
  first: asFirst(kinds.initials, initial),
  second: asSecond(initial),
});

/** A syllable next to other syllables. */
export const syllableNeighbour = ({ number }: Syllable): Neighbour => ({
  first: asFirst(kinds.syllables, number),
  second: asSecond(number),
});

/** The term of two syllables, or of two initials, next to each other. */
export const neighboursTerm = ({ first }: Neighbour, { second }: Neighbour): number => join(first, second);

/** The number of these letters. */
export function wordHash(letters: Iterable<string>): WordHash {
  const hash = new WordHash();
  for (const letter of letters) hash.add(codeOf(letter));
  return hash;
}

/** Letters of the longest beginning of a word that is a term. */
export const longestBeginning = 8;
/** True if the beginning of a word with this number of letters is a term. */
export const isBeginning = (length: number): boolean => length < 5 || length === 6 || length === longestBeginning;

/** The term of a Chinese character. */
export const characterTerm = (character: string): number => mix(kinds.character, codeOf(character));
/** The term of a syllable. */
export const syllableTerm = ({ number }: Syllable): number => mix(kinds.syllable, number);
/** The term of two syllables next to each other. */
export const syllablesTerm = (first: Syllable, second: Syllable): number =>
  neighboursTerm(syllableNeighbour(first), syllableNeighbour(second));
/** The term of an initial, by its code point. */
export const initialTerm = (initial: number): number => mix(kinds.initial, initial);
/** The term of two initials next to each other, by their code points. */
export const initialsTerm = (first: number, second: number): number =>
  neighboursTerm(initialNeighbour(first), initialNeighbour(second));
/** The term of a word before a Chinese character. */
export const wholeWordTerm = (word: WordHash): number => mix(kinds.wholeWord, word.value);

/** The term of the messages of a sender. */
export const senderTerm = (userId: string, external: boolean): number =>
  mix(kinds.sender, wordHash(userId).value, Number(external));

/** The term of the beginning of a word that these letters are. */
export const beginningTerm = ({ value }: WordHash): number => mix(kinds.beginning, value);

/** The terms of the beginnings of a word of at least this many letters. */
export function beginningTerms(letters: readonly string[]): number[] {
  const terms: number[] = [];
  const word = new WordHash();
  for (const letter of letters) {
    word.add(codeOf(letter));
    if (isBeginning(word.length)) terms.push(beginningTerm(word));
  }
  return terms;
}
