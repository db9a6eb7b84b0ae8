/** Ends a text, which comes in pieces, before the first of some texts. */
interface StopTexts {
  /** Returns the text that can be passed on. The possible beginning of a stop text is held back. */
  add(piece: string): string;
  /** Returns the text that was held back, after the last piece. */
  end(): string;
  /** True after a stop text: no more text is passed on. */
  readonly isFound: () => boolean;
}

/** The length of the longest end of `text` with which `stop` begins. */
function overlap(text: string, stop: string): number {
  for (let length = Math.min(text.length, stop.length - 1); length > 0; length -= 1) {
    if (text.endsWith(stop.slice(0, length))) return length;
  }
  return 0;
}

/** The index of the stop text that ends first, and of two that end there, of the longer one. -1 without a stop text. */
function findStop(text: string, stops: readonly string[]): number {
  const positions = stops
    .map((stop) => ({ start: text.indexOf(stop), length: stop.length }))
    .filter(({ start }) => start >= 0)
    .toSorted((a, b) => a.start + a.length - b.start - b.length || a.start - b.start);
  return positions[0]?.start ?? -1;
}

/** Finds the first of these texts that is complete, regardless of the pieces in which the text arrives. */
export function createStopTexts(stops: readonly string[]): StopTexts {
  let held = "";
  let isFound = false;
  return {
    add(piece) {
      if (stops.length === 0) return piece;
      if (isFound) return "";
      const text = held + piece;
      const position = findStop(text, stops);
      isFound = position >= 0;
      const end = isFound ? position : text.length - Math.max(...stops.map((stop) => overlap(text, stop)));
      held = isFound ? "" : text.slice(end);
      return text.slice(0, end);
    },
    end() {
      const rest = held;
      held = "";
      return rest;
    },
    isFound: () => isFound,
  };
}
