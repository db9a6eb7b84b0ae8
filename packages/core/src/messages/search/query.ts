import type { Characters } from "./characters.ts";
import type { Syllable } from "./syllables.ts";

/** One character of a query word, without case, width and accents, simplified. */
export interface QueryCharacter {
  readonly text: string;
  readonly isHan: boolean;
  /** A syllable that this character has in every text; null if there is none. */
  readonly syllable: Syllable | null;
}

/** A word of a query: Chinese characters and letters without anything between them. */
export type QueryWord = readonly QueryCharacter[];

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
      else if (part.kind === "letter") word.push({ text: part.letter, isHan: false, syllable: null });
      else word.push({ text: part.reading.character, isHan: true, syllable: part.common });
    }
  }
  end();
  return [...words.values()];
}
