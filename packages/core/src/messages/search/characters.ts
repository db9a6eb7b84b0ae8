import { traditionalPairs } from "../traditional.ts";
import { readSound, type Sound, type Syllable, withSound } from "./syllables.ts";

/** A Chinese character. */
export interface HanPart {
  readonly kind: "han";
  /** Its simplified form. */
  readonly character: string;
  /** What the dictionary gives for the form that was written. */
  readonly sounds: readonly Sound[];
  /** The syllables of these sounds and of those of the simplified form, each once. */
  readonly syllables: readonly Syllable[];
  /** One of them, the same for every form of the character. */
  readonly common: Syllable | null;
}

/** A letter or digit without case, width and accents. */
export interface LetterPart {
  readonly kind: "letter";
  readonly letter: string;
}

/** What a character counts as in a search. A `break` is between words, and breaks a match in Chinese. */
type CharacterPart = HanPart | LetterPart | { readonly kind: "break" };

/** What is known of characters. */
export interface Characters {
  /** What a character counts as, by its code point: nothing for an accent, several parts for a ligature. */
  readonly read: (codePoint: number) => readonly CharacterPart[];
  /** The sound that a text such as `lü4` stands for, or null. */
  readonly sound: (text: string) => Sound | null;
}

/** Readings that are kept. */
const mostSounds = 4096;
/** The characters of the basic plane are kept, each at its code point: texts have few others. */
const keptCharacters = 0x1_00_00;

const breakPart: CharacterPart = { kind: "break" };
const han = /^[\p{Script=Han}〇]$/u;
const letter = /^[\p{L}\p{N}\p{M}]$/u;
// Marks of a script of their own are vowels in many of them. Those of every script are accents.
const accents = /[\p{M}&&\p{Script=Inherited}]/gv;

/** Without case, width and accents. What has no single form in lower case gets it by way of the upper case: `ß` is `ss`. */
const fold = (character: string): string =>
  character.normalize("NFKD").toUpperCase().toLowerCase().normalize("NFKD").replaceAll(accents, "");

/**
 * Reads characters, and keeps what it has read.
 * @param readingsOf the readings of a Chinese character, such as `zhang3`, as the dictionary gives them
 */
export function createCharacters(readingsOf: (character: string) => readonly string[]): Characters {
  const simplified = new Map(Object.entries(traditionalPairs()));
  const soundsOf = (character: string): readonly Sound[] =>
    readingsOf(character).reduce<readonly Sound[]>((sounds, text) => {
      const sound = readSound(text);
      return sound === null ? sounds : withSound(sounds, sound);
    }, []);
  const toPart = (character: string): CharacterPart => {
    if (!han.test(character)) return letter.test(character) ? { kind: "letter", letter: character } : breakPart;
    const form = simplified.get(character) ?? character;
    const sounds = soundsOf(character);
    const simple = form === character ? sounds : soundsOf(form);
    const syllables = [...new Set([...simple, ...sounds].map(({ syllable }) => syllable))];
    return { kind: "han", character: form, sounds, syllables, common: simple[0]?.syllable ?? null };
  };
  const characters: (readonly CharacterPart[])[] = [];
  const sounds = new Map<string, Sound | null>();
  return {
    read(codePoint) {
      const known = characters[codePoint];
      if (known !== undefined) return known;
      const parts = Array.from(fold(String.fromCodePoint(codePoint)), toPart);
      if (codePoint < keptCharacters) characters[codePoint] = parts;
      return parts;
    },
    sound(text) {
      const known = sounds.get(text);
      if (known !== undefined) return known;
      const sound = readSound(text);
      if (sounds.size < mostSounds) sounds.set(text, sound);
      return sound;
    },
  };
}
