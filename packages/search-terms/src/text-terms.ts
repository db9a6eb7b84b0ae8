import type { Characters, HanReading } from "./characters.ts";
import { PinyinReader } from "./pinyin-reader.ts";
import {
  beginningTerm,
  codeOf,
  initialNeighbour,
  initialTerm,
  isBeginning,
  longestBeginning,
  type Neighbour,
  neighboursTerm,
  wholeWordTerm,
  WordHash,
} from "./term-numbers.ts";

const letterA = 0x61;

/** Terms for which the memory is kept. */
const mostKept = 16_384;

/**
 * Collects the terms of a message. It makes none of the units that a match consists of, and writes into memory that it uses again, because
 * the terms of every message are made while others are sent.
 */
export class TermCollector {
  readonly #characters: Characters;
  /** Never emptied: an array that grows for each message would cost as much as its terms. */
  #terms: number[] = [];
  #length = 0;
  /** The character before, if it was Chinese. */
  #han: HanReading | null = null;
  /** The word before, while nothing separates it from the next character. */
  readonly #word = new WordHash();
  #firstLetter = 0;
  /** One bit for each letter that syllables of the text begin with. */
  #initials = 0;

  constructor(characters: Characters) {
    this.#characters = characters;
  }

  /** Adds one term. */
  add(term: number): void {
    this.#terms[this.#length] = term;
    this.#length += 1;
  }

  /**
   * Adds the terms of a text.
   * @param pinyin the stored pinyin of the text, or `""` for a text that was stored without pinyin
   */
  addText(text: string, pinyin: string): void {
    const syllables = new PinyinReader(pinyin);
    for (let at = 0; at < text.length;) {
      const codePoint = text.codePointAt(at) ?? 0;
      at += codePoint > 0xffff ? 2 : 1;
      const isRead = syllables.next(codePoint);
      for (const part of this.#characters.read(codePoint)) {
        if (part.kind === "letter") this.#addLetter(codeOf(part.letter));
        else if (part.kind === "break") this.#separate();
        else this.#addHan(isRead ? part.readAs(syllables) : part.reading);
      }
    }
    this.#endText();
  }

  /** The terms since the last call, some of them several times. */
  take(): readonly number[] {
    const taken = this.#terms.slice(0, this.#length);
    if (this.#length > mostKept) this.#terms = [];
    this.#length = 0;
    return taken;
  }

  #separate(): void {
    this.#han = null;
    this.#word.clear();
  }

  #addLetter(code: number): void {
    if (this.#word.length === 0) {
      this.#firstLetter = code;
      if (this.#han !== null) this.#addPairs(this.#han.neighbours.initials, [initialNeighbour(code)]);
      this.#han = null;
    }
    this.#word.add(code);
    if (isBeginning(this.#word.length)) this.add(beginningTerm(this.#word));
  }

  #addHan(reading: HanReading): void {
    this.#addAll(reading.terms);
    this.#initials |= reading.initials;
    if (this.#han !== null) this.#addNeighbours(this.#han, reading);
    else if (this.#word.length > 0) this.#addAfterWord(reading);
    this.#han = reading;
    this.#word.clear();
  }

  #addAll(all: readonly number[]): void {
    const terms = this.#terms;
    let length = this.#length;
    // Half as fast with `for of`.
    for (let at = 0; at < all.length; at += 1) {
      terms[length] = all[at] ?? 0;
      length += 1;
    }
    this.#length = length;
  }

  #addNeighbours({ neighbours: first }: HanReading, { neighbours: second }: HanReading): void {
    this.#addPairs(first.initials, second.initials);
    this.#addPairs(first.syllables, second.syllables);
  }

  #addPairs(first: readonly Neighbour[], second: readonly Neighbour[]): void {
    const terms = this.#terms;
    let length = this.#length;
    for (const one of first) {
      for (const other of second) {
        terms[length] = neighboursTerm(one, other);
        length += 1;
      }
    }
    this.#length = length;
  }

  #addAfterWord({ neighbours }: HanReading): void {
    this.#addPairs([initialNeighbour(this.#firstLetter)], neighbours.initials);
    if (this.#word.length < longestBeginning) this.add(wholeWordTerm(this.#word));
  }

  #endText(): void {
    for (let letter = 0; letter < 26; letter += 1) {
      if (((this.#initials >> letter) & 1) === 1) this.add(initialTerm(letterA + letter));
    }
    this.#initials = 0;
    this.#separate();
  }
}
