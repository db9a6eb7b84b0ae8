const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;

/** A text with U+FFFD in place of NUL and lone surrogates. */
export const cleanText = (text: string): string => text.toWellFormed().replaceAll("\0", "\uFFFD");

/** A text that arrives in pieces. */
export interface TextPieces {
  /** Returns the part of the next piece that can be passed on; empty if its only character is incomplete. */
  add(piece: string): string;
  /** Returns the rest, after the last piece. */
  end(): string;
}

/**
 * Replaces NUL and lone surrogates by U+FFFD. A surrogate pair that is split over two pieces becomes one character of the
 * second piece.
 */
export function createTextPieces(): TextPieces {
  let half = "";
  return {
    add(piece) {
      const text = half + piece;
      half = isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.slice(-1) : "";
      return cleanText(half === "" ? text : text.slice(0, -1));
    },
    end() {
      const rest = cleanText(half);
      half = "";
      return rest;
    },
  };
}
