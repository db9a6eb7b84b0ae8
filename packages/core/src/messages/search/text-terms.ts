import type { Characters, HanReading } from "./characters.ts";
import { PinyinReader } from "./pinyin-reader.ts";
import {
  codeOf,
  initialsTerm,
  initialTerm,
  longestBeginning,
  pushBeginning,
  syllablesTerm,
  wholeWordTerm,
  WordHash,
} from "./term-numbers.ts";

const letterA = 0x61;

/** Collects the terms of a text from its characters. */
class TextTerms {
  readonly #terms: number[];
  /** The character before, if it was Chinese. */
  #han: HanReading | null = null;
  /** The word before, as long as nothing separates it from what comes. */
  readonly #word = new WordHash();
  #firstLetter = 0;
  /** One bit for each letter that syllables of the text begin with. */
  #initials = 0;

  constructor(terms: number[]) {
    this.#terms = terms;
  }

  separate(): void {
    this.#han = null;
    this.#word.clear();
  }

  letter(code: number): void {
    if (this.#word.length === 0) {
      this.#firstLetter = code;
      for (const initial of this.#han?.initials ?? []) this.#terms.push(initialsTerm(initial, code));
      this.#han = null;
    }
    this.#word.add(code);
    pushBeginning(this.#terms, this.#word);
  }

  han(reading: HanReading): void {
    for (const term of reading.terms) this.#terms.push(term);
    for (const initial of reading.initials) this.#initials |= 1 << (initial - letterA);
    if (this.#han !== null) this.#pushPairs(this.#han, reading);
    else if (this.#word.length > 0) this.#pushAfterWord(reading);
    this.#han = reading;
    this.#word.clear();
  }

  end(): void {
    for (let letter = 0; letter < 26; letter += 1) {
      if (((this.#initials >> letter) & 1) === 1) this.#terms.push(initialTerm(letterA + letter));
    }
  }

  #pushPairs(first: HanReading, second: HanReading): void {
    for (const a of first.initials) for (const b of second.initials) this.#terms.push(initialsTerm(a, b));
    for (const a of first.syllables) for (const b of second.syllables) this.#terms.push(syllablesTerm(a, b));
  }

  #pushAfterWord({ initials }: HanReading): void {
    for (const initial of initials) this.#terms.push(initialsTerm(this.#firstLetter, initial));
    if (this.#word.length < longestBeginning) this.#terms.push(wholeWordTerm(this.#word));
  }
}

/**
 * Adds the terms of a text, some of them several times. It makes none of the units that a match consists of, because the terms
 * of every message are made while others are sent.
 * @param pinyin the stored pinyin of the text, `""` where there is none
 */
export function pushTextTerms(terms: number[], text: string, pinyin: string, { read }: Characters): void {
  const own = new TextTerms(terms);
  const syllables = new PinyinReader(pinyin);
  for (let at = 0; at < text.length;) {
    const codePoint = text.codePointAt(at) ?? 0;
    at += codePoint > 0xffff ? 2 : 1;
    const isRead = syllables.next(codePoint);
    for (const part of read(codePoint)) {
      if (part.kind === "letter") own.letter(codeOf(part.letter));
      else if (part.kind === "break") own.separate();
      else own.han(isRead ? part.readAs(syllables) : part.reading);
    }
  }
  own.end();
}
