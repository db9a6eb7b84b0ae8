import { createCharacters } from "./characters.ts";
import { type ExcerptSearch, findExcerpt } from "./excerpts.ts";
import { type Finding, findWord, type TextMatch } from "./match.ts";
import { type QueryWord, readQuery } from "./query.ts";
import { senderTerm } from "./term-numbers.ts";
import { type Spelling, spellingsOf } from "./terms.ts";
import { TermCollector } from "./text-terms.ts";
import { searchedTexts, type StoredTexts } from "./texts.ts";
import { unitsOf } from "./units.ts";

/** Where a word of a query was found in a message. */
export interface MessageMatch extends TextMatch {
  readonly segment: number;
}

/** The sender of a message. */
interface Sender {
  /** The id of a user, or of a person of an external network. */
  readonly userId: string;
  /** True for a person of an external network. */
  readonly external: boolean;
}

/** Reads messages and queries for the search. */
export interface SearchReader {
  /** The words of a query. */
  words(query: string): readonly QueryWord[];
  /** The terms that a message is found by, some of them several times. */
  terms(message: StoredTexts & Sender): readonly number[];
  /** The ways to spell a word: a message that contains the word has all terms of at least one of them. */
  spellings(word: QueryWord): readonly Spelling[];
  /** Reads a message. Returns what finds a word in it, part by part: its first places in each text. */
  open(message: StoredTexts): (word: QueryWord) => Finding<MessageMatch>;
  /** Looks for words in a text of any length that has no stored pinyin, part by part. Null unless the text contains all of them. */
  excerpt(text: string, words: readonly QueryWord[]): ExcerptSearch;
}

/** Maximum matches of one word in one text that are reported. */
const maxMatches = 8;

const byPosition = (a: MessageMatch, b: MessageMatch): number =>
  a.segment - b.segment || a.start - b.start || a.end - b.end;

const isRepeated = (match: MessageMatch, before: MessageMatch | undefined): boolean =>
  before !== undefined && byPosition(match, before) === 0;

/** The matches of several words in a message, in order, each once. None unless the message contains all words. */
export function joinMatches(ofWords: readonly (readonly MessageMatch[])[]): readonly MessageMatch[] {
  if (ofWords.some((matches) => matches.length === 0)) return [];
  return ofWords
    .flat()
    .toSorted(byPosition)
    .filter((match, at, sorted) => !isRepeated(match, sorted[at - 1]));
}

/**
 * A reader that knows Chinese.
 * @param readingsOf the readings of a Chinese character in the dictionary, such as `zhang3`
 */
export function createSearchReader(readingsOf: (character: string) => readonly string[]): SearchReader {
  const characters = createCharacters(readingsOf);
  const terms = new TermCollector(characters);
  const read = (message: StoredTexts) =>
    searchedTexts(message).map(({ segment, text, pinyin }) => ({
      segment,
      units: unitsOf(text, pinyin, characters),
    }));
  return {
    words: (query) => readQuery(query, characters),
    terms(message) {
      terms.add(senderTerm(message.userId, message.external));
      for (const { text, pinyin } of searchedTexts(message)) terms.addText(text, pinyin);
      return terms.take();
    },
    spellings: spellingsOf,
    open(message) {
      const texts = read(message);
      return function* (word) {
        const matches: MessageMatch[] = [];
        for (const { segment, units } of texts) {
          for (const place of yield* findWord(units, word, maxMatches)) matches.push({ segment, ...place });
        }
        return matches;
      };
    },
    excerpt: (text, words) => findExcerpt(text, words, (piece) => unitsOf(piece, "", characters)),
  };
}
