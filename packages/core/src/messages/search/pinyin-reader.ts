const space = 0x20;
const isSyllableLetter = (code: number): boolean => (code >= 0x61 && code <= 0x7a) || code === 0xfc;
const isTone = (code: number): boolean => code >= 0x30 && code <= 0x34;

/**
 * Reads the stored pinyin of a text along with the text, code point by code point. It is the text with syllables in place of
 * Chinese characters, and spaces around them. The answer is the syllable that is in the place of the character, or null.
 */
export function createPinyinReader(pinyin: string): (codePoint: number) => string | null {
  let at = 0;
  return (codePoint) => {
    if (at === pinyin.length) return null;
    const length = codePoint > 0xffff ? 2 : 1;
    if (pinyin.codePointAt(at) === codePoint) {
      at += length;
      return null;
    }
    const begin = pinyin.charCodeAt(at) === space ? at + 1 : at;
    // A space that is in the pinyin only, between a syllable and a letter.
    if (begin > at && pinyin.codePointAt(begin) === codePoint) {
      at = begin + length;
      return null;
    }
    let end = begin;
    while (isSyllableLetter(pinyin.charCodeAt(end))) end += 1;
    if (end === begin || !isTone(pinyin.charCodeAt(end))) return null;
    at = end + 1;
    return pinyin.slice(begin, at);
  };
}
