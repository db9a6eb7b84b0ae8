import { traditionalCharacters, traditionalPhrases } from "./traditional-table.ts";

/** Turns traditional Chinese into simplified. */
export interface Simplifier {
  /** The simplified form of a character; the character itself if it has none. */
  readonly character: (character: string) => string;
  /** True if the simplified text may differ. */
  readonly isTraditional: (text: string) => boolean;
  /** A text in simplified characters, phrase by phrase. It has as many code points as before. */
  readonly text: (text: string) => string;
}

/** Pairs of a character, or of a phrase, and its simplified form of the same length. */
const halves = (texts: Iterable<string>): (readonly [traditional: string, simplified: string])[] =>
  Array.from(texts, (text) => {
    const characters = Array.from(text);
    const half = characters.length / 2;
    return [characters.slice(0, half).join(""), characters.slice(half).join("")] as const;
  });

/** Builds the tables, which takes about a millisecond. */
export function createSimplifier(): Simplifier {
  const characters = new Map(halves(traditionalCharacters.match(/../gu) ?? []));
  const pairs = halves(traditionalPhrases.trimEnd().split(" "));
  // The longest first. By their first two units of UTF-16: only a few begin with the same.
  const phrases = Map.groupBy(
    pairs.toSorted(([one], [other]) => other.length - one.length),
    ([phrase]) => phrase.slice(0, 2),
  );
  // Most texts have none of them, and are not written a second time.
  const ofPhrases = pairs.map(([phrase, simplified]) => Array.from(phrase).filter((one) => !simplified.includes(one)));
  const traditional = new RegExp(`[${[...characters.keys(), ...ofPhrases.flat()].join("")}]`, "u");
  const character = (one: string): string => characters.get(one) ?? one;
  const isTraditional = (text: string): boolean => traditional.test(text);
  return {
    character,
    isTraditional,
    text(text) {
      if (!isTraditional(text)) return text;
      let simplified = "";
      for (let at = 0; at < text.length;) {
        const phrase = phrases.get(text.slice(at, at + 2))?.find(([one]) => text.startsWith(one, at));
        const written = phrase?.[0] ?? String.fromCodePoint(text.codePointAt(at) ?? 0);
        simplified += phrase?.[1] ?? character(written);
        at += written.length;
      }
      return simplified;
    },
  };
}
