/** A stretch of a text: UTF-16 offsets. */
interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** A piece of a text. */
interface Piece<S> {
  readonly text: string;
  /** The stretch that it is; null between stretches. */
  readonly stretch: S | null;
}

/** A text cut where stretches begin and end. They are in order, and do not overlap. */
export function cut<S extends Stretch>(text: string, stretches: readonly S[]): readonly Piece<S>[] {
  const pieces: Piece<S>[] = [];
  let at = 0;
  for (const stretch of stretches) {
    if (stretch.start > at) pieces.push({ text: text.slice(at, stretch.start), stretch: null });
    pieces.push({ text: text.slice(stretch.start, stretch.end), stretch });
    at = stretch.end;
  }
  return at < text.length ? [...pieces, { text: text.slice(at), stretch: null }] : pieces;
}

/** The stretches of a text that match a pattern, with what its first group matches. */
export const stretchesOf = (text: string, pattern: RegExp) =>
  Array.from(text.matchAll(pattern), ({ 0: whole, 1: group = "", index }) => ({
    start: index,
    end: index + whole.length,
    group,
  }));
