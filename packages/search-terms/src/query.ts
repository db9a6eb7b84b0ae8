import type { Characters, HanReading } from "./characters.ts";
import type { Syllable } from "./syllables.ts";

/** One form of a character. */
export interface CharacterForm {
  readonly text: string;
  /** A syllable that this form has in every text; null if there is none. */
  readonly syllable: Syllable | null;
}

/** One character of a query word, without case, width and accents, simplified. */
export interface QueryCharacter extends CharacterForm {
  readonly isHan: boolean;
  /** The traditional form that was typed, as the version before has indexed it; null for other characters. */
  readonly traditional: CharacterForm | null;
}

/** A word of a query: Chinese characters and letters without anything between them. */
export type QueryWord = readonly QueryCharacter[];

const letterOf = (text: string): QueryCharacter => ({ text, isHan: false, syllable: null, traditional: null });

/** Traditional characters for which the version before has the term of another simplified form. */
const otherForms: ReadonlyMap<string, string> = new Map(
  ["鍾锺", "鉋刨", "諮谘", "麴麹", "鹼硷", "鈽钚"].map((pair) => [pair.charAt(0), pair.charAt(1)]),
);

function hanOf({ character, written, sounds }: HanReading, common: Syllable | null): QueryCharacter {
  const indexed = { text: otherForms.get(written) ?? written, syllable: sounds[0]?.syllable ?? null };
  return { text: character, isHan: true, syllable: common, traditional: written === character ? null : indexed };
}

/** The words of a query, each once. None for a query of punctuation only. */
export function readQuery(query: string, characters: Characters): readonly QueryWord[] {
  const words = new Map<string, QueryWord>();
  let word: QueryCharacter[] = [];
  const end = (): void => {
    if (word.length > 0) words.set(word.map(({ text }) => text).join(""), word);
    word = [];
  };
  for (const character of query) {
    for (const part of characters.read(character.codePointAt(0) ?? 0)) {
      if (part.kind === "break") end();
      else if (part.kind === "letter") word.push(letterOf(part.letter));
      else word.push(hanOf(part.reading, part.common));
    }
  }
  end();
  return [...words.values()];
}
