/** A range of a text, in UTF-16 offsets. */
interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A piece of a text. */
interface Piece<S> {
  readonly text: string;
  /** Null between ranges. */
  readonly range: S | null;
}

/** Splits a text at the beginnings and ends of ranges, which must be in order and must not overlap. */
export function cut<S extends TextRange>(text: string, ranges: readonly S[]): readonly Piece<S>[] {
  const pieces: Piece<S>[] = [];
  let at = 0;
  for (const range of ranges) {
    if (range.start > at) pieces.push({ text: text.slice(at, range.start), range: null });
    pieces.push({ text: text.slice(range.start, range.end), range });
    at = range.end;
  }
  return at < text.length ? [...pieces, { text: text.slice(at), range: null }] : pieces;
}

/** The ranges of a text that match a pattern, with the text of its first group. */
export const rangesOf = (text: string, pattern: RegExp) =>
  Array.from(text.matchAll(pattern), ({ 0: match, 1: group = "", index }) => ({
    start: index,
    end: index + match.length,
    group,
  }));
