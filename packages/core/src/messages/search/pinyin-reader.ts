const space = 0x20;
const isSyllableLetter = (code: number): boolean => (code >= 0x61 && code <= 0x7a) || code === 0xfc;
const isTone = (code: number): boolean => code >= 0x30 && code <= 0x34;

/**
 * Reads the stored pinyin of a text along with the text, code point by code point. It is the text with syllables in place of
 * Chinese characters, and spaces around them.
 */
export class PinyinReader {
  readonly #pinyin: string;
  #start = 0;
  #end = 0;

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

  /** True if this text is the syllable that was read last. Makes no text of it. */
  isAt(text: string): boolean {
    return text.length === this.#end - this.#start && this.#pinyin.startsWith(text, this.#start);
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
    while (isSyllableLetter(this.#pinyin.charCodeAt(end))) end += 1;
    if (end === start || !isTone(this.#pinyin.charCodeAt(end))) return false;
    this.#start = start;
    this.#end = end + 1;
    return true;
  }
}
