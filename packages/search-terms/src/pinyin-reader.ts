const space = 0x20;
const toneZero = 0x30;
const isTone = (code: number): boolean => code >= toneZero && code <= 0x34;

/** The number of a letter of syllables, 1 to 27; 0 for every other code. */
const letterOf = (code: number): number => (code >= 0x61 && code <= 0x7a ? code - 0x60 : code === 0xfc ? 27 : 0);

/** Letters of the longest syllable: `zhuang`. */
const longestSyllable = 6;

/**
 * Reads the stored pinyin of a text along with the text, code point by code point. It is the text with syllables in place of
 * Chinese characters, and spaces around them.
 */
export class PinyinReader {
  readonly #pinyin: string;
  #start = 0;
  #end = 0;
  /** Stands for the syllable that was read last: the same number for the same text. 0 for one that is longer than any. */
  key = 0;

  constructor(pinyin: string) {
    this.#pinyin = pinyin;
  }

  /** Goes on to the next code point of the text. True if a syllable is in its place. */
  next(codePoint: number): boolean {
    const begin = this.#end;
    if (begin === this.#pinyin.length || this.#skip(codePoint, begin)) return false;
    const isSpace = this.#pinyin.charCodeAt(begin) === space;
    // A space that is in the pinyin only, between a syllable and a letter.
    if (isSpace && this.#skip(codePoint, begin + 1)) return false;
    return this.#readSyllable(isSpace ? begin + 1 : begin);
  }

  /** The syllable that was read last. */
  get syllable(): string {
    return this.#pinyin.slice(this.#start, this.#end);
  }

  #skip(codePoint: number, at: number): boolean {
    if (this.#pinyin.codePointAt(at) !== codePoint) return false;
    this.#end = at + (codePoint > 0xffff ? 2 : 1);
    return true;
  }

  #readSyllable(start: number): boolean {
    let end = start;
    let letters = 0;
    for (let letter = this.#letterAt(end); letter !== 0; letter = this.#letterAt(end)) {
      letters = Math.imul(letters, 28) + letter;
      end += 1;
    }
    const code = this.#pinyin.charCodeAt(end);
    if (end === start || !isTone(code)) return false;
    this.key = end - start > longestSyllable ? 0 : Math.imul(letters, 5) + code - toneZero;
    this.#start = start;
    this.#end = end + 1;
    return true;
  }

  #letterAt(at: number): number {
    return letterOf(this.#pinyin.charCodeAt(at));
  }
}
