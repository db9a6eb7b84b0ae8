import type { Characters, HanReading, LetterPart } from "./characters.ts";
import { PinyinReader } from "./pinyin-reader.ts";

/** A Chinese character in a text. */
export interface HanUnit {
  readonly kind: "han";
  /** UTF-16 offsets in the text. */
  readonly start: number;
  readonly end: number;
  /** True if nothing is between this unit and the one before it. */
  readonly isJoined: boolean;
  readonly reading: HanReading;
}

/** A run of letters and digits in a text. */
export interface WordUnit {
  readonly kind: "word";
  readonly start: number;
  readonly isJoined: boolean;
  readonly letters: readonly string[];
  /** For each letter, the UTF-16 offset after it. */
  readonly ends: readonly number[];
}

/** The units of a text that a match consists of. */
export type Unit = HanUnit | WordUnit;

interface OpenWord extends WordUnit {
  readonly letters: string[];
  readonly ends: number[];
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Puts units together, part by part. */
class Units {
  readonly all: Unit[] = [];
  #word: OpenWord | null = null;
  #isJoined = false;

  /** An accent belongs to the letter before it. */
  accent({ end }: Span): void {
    if (this.#word !== null) this.#word.ends[this.#word.ends.length - 1] = end;
  }

  separate(): void {
    this.#word = null;
    this.#isJoined = false;
  }

  letter({ letter }: LetterPart, { start, end }: Span): void {
    if (this.#word === null) {
      this.#word = { kind: "word", start, isJoined: this.#isJoined, letters: [], ends: [] };
      this.all.push(this.#word);
    }
    this.#word.letters.push(letter);
    this.#word.ends.push(end);
    this.#isJoined = true;
  }

  han(reading: HanReading, { start, end }: Span): void {
    this.all.push({ kind: "han", start, end, isJoined: this.#isJoined, reading });
    this.#word = null;
    this.#isJoined = true;
  }
}

/**
 * The units of a text, in their order.
 * @param pinyin the stored pinyin of the text, or `""` for a text that was stored without pinyin
 */
export function unitsOf(text: string, pinyin: string, { read }: Characters): readonly Unit[] {
  const units = new Units();
  const syllables = new PinyinReader(pinyin);
  for (let start = 0; start < text.length;) {
    const codePoint = text.codePointAt(start) ?? 0;
    const span = { start, end: start + (codePoint > 0xffff ? 2 : 1) };
    start = span.end;
    const parts = read(codePoint);
    const isRead = syllables.next(codePoint);
    if (parts.length === 0) units.accent(span);
    for (const part of parts) {
      if (part.kind === "break") units.separate();
      else if (part.kind === "letter") units.letter(part, span);
      else units.han(isRead ? part.readAs(syllables) : part.reading, span);
    }
  }
  return units.all;
}
