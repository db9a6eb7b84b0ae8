import { findWord, type TextMatch } from "./match.ts";
import type { QueryWord } from "./query.ts";
import type { Unit } from "./units.ts";

/** The part of a text in which words were found first, and their positions in it, in order. */
export interface Excerpt {
  readonly text: string;
  readonly matches: readonly TextMatch[];
}

/** Yields the work of each part, in UTF-16 units of text, and finally returns the result. */
export type ExcerptSearch = Generator<number, Excerpt | null>;

/** UTF-16 units that are read in one part. */
const pieceLength = 4096;
/** UTF-16 units before the first place, and of the whole excerpt. */
const [before, excerptLength] = [60, 240];
/** Maximum matches of one word in an excerpt. */
const maxMatches = 8;
/** Steps of a match that count as one unit of text: a long word may begin at each of its characters. */
const stepsOfUnit = 4;
/** Units of a text that are compared as they are written, in the time in which one is read. */
const comparedInTime = 16;

/** No word contains one of these. */
const separator = /[\s.,;:!?。，、；：！？]/;

/** A character of a text in which a word may be written differently than in the query. */
const variable = /[^\s -~\u2010-\u2027\u{1f300}-\u{1faff}]/u;

/** A piece ends after a separator, so that no word is cut, unless it has none. */
function endOfPiece(text: string, start: number): number {
  const most = start + pieceLength;
  if (most >= text.length) return text.length;
  for (let end = most; end > start; end -= 1) if (separator.test(text.charAt(end - 1))) return end;
  return most;
}

function* piecesOf(text: string): Generator<{ readonly start: number; readonly piece: string }> {
  for (let [start, end] = [0, 0]; start < text.length; start = end) {
    end = endOfPiece(text, start);
    yield { start, piece: text.slice(start, end) };
  }
}

const lettersOf = (word: QueryWord): string => word.map(({ text }) => text).join("");

/** The words that a piece may contain: comparing them takes a small part of the time of a match. */
function wordsIn(piece: string, words: readonly QueryWord[]): readonly QueryWord[] {
  if (variable.test(piece)) return words;
  const lower = piece.toLowerCase();
  return words.filter((word) => lower.includes(lettersOf(word)));
}

function* find(units: readonly Unit[], word: QueryWord, limit: number): Generator<number, readonly TextMatch[]> {
  const finding = findWord(units, word, limit);
  let step = finding.next();
  for (; step.done !== true; step = finding.next()) yield step.value / stepsOfUnit;
  return step.value;
}

/** The first place of each word that the text contains. */
function* firstPlaces(text: string, words: readonly QueryWord[], read: (piece: string) => readonly Unit[]) {
  const places = new Map<QueryWord, number>();
  for (const { start, piece } of piecesOf(text)) {
    const missing = words.filter((word) => !places.has(word));
    if (missing.length === 0) break;
    const possible = wordsIn(piece, missing);
    yield possible.length === 0 ? piece.length / comparedInTime : piece.length;
    if (possible.length === 0) continue;
    const units = read(piece);
    for (const word of possible) {
      const [match] = yield* find(units, word, 1);
      if (match !== undefined) places.set(word, start + match.start);
    }
  }
  return places;
}

const isCut = (text: string, at: number): boolean => /^[\udc00-\udfff]/.test(text.slice(at, at + 1));

/** The text from shortly before a position, without halves of characters. */
function around(text: string, position: number): string {
  const from = Math.max(0, position - before);
  const start = isCut(text, from) ? from + 1 : from;
  const end = start + excerptLength;
  return text.slice(start, isCut(text, end) ? end - 1 : end);
}

/** Looks for words in a text that may be long. Null unless it contains all of them. */
export function* findExcerpt(
  text: string,
  words: readonly QueryWord[],
  read: (piece: string) => readonly Unit[],
): ExcerptSearch {
  const places = yield* firstPlaces(text, words, read);
  if (words.length === 0 || places.size < words.length) return null;
  const excerpt = around(text, Math.min(...places.values()));
  const units = read(excerpt);
  const matches: TextMatch[] = [];
  for (const word of words) matches.push(...(yield* find(units, word, maxMatches)));
  return { text: excerpt, matches: matches.toSorted((a, b) => a.start - b.start || a.end - b.end) };
}
