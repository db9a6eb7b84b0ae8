import { createSimplifier, type Simplifier } from "./traditional.ts";
import type { PinyinReader } from "./pinyin-reader.ts";
import { readSound, type Sound, type Syllable, withSound } from "./syllables.ts";
import {
  characterTerm,
  codeOf,
  initialNeighbour,
  type Neighbour,
  syllableNeighbour,
  syllableTerm,
} from "./term-numbers.ts";

/** A reading of a Chinese character. */
export interface HanReading {
  /** Its simplified form. */
  readonly character: string;
  /** As it was written. */
  readonly written: string;
  /** The sounds of the written form in the dictionary, and the one that is stored with a text. */
  readonly sounds: readonly Sound[];
  /** The syllables of these sounds and of those of the simplified form, each once. */
  readonly syllables: readonly Syllable[];
  /** The terms of the character and of the syllables. */
  readonly terms: readonly number[];
  /** The syllables and their initials, as what is next to others. */
  readonly neighbours: { readonly syllables: readonly Neighbour[]; readonly initials: readonly Neighbour[] };
  /** One bit for each letter that the syllables begin with, the lowest one for `a`. */
  readonly initials: number;
}

/** A Chinese character. */
interface HanPart {
  readonly kind: "han";
  /** As the dictionary has it. */
  readonly reading: HanReading;
  /** Its reading if a sound such as `lü4` is stored with the text: the one that was just read. */
  readonly readAs: (stored: PinyinReader) => HanReading;
  /** One of its syllables, the same for every form of the character. */
  readonly common: Syllable | null;
}

/** A letter or digit without case, width and accents. */
export interface LetterPart {
  readonly kind: "letter";
  readonly letter: string;
}

/** The meaning of a character in a search. A `break` is between words, and breaks a match in Chinese. */
type CharacterPart = HanPart | LetterPart | { readonly kind: "break" };

export interface Characters {
  /** The parts of a character, by its code point: none for an accent, several for a ligature. */
  readonly read: (codePoint: number) => readonly CharacterPart[];
}

/** Readings of one character that are kept. */
const mostReadings = 16;
/** The characters of the basic plane are kept, each at its code point. */
const keptCharacters = 0x1_00_00;
/** Characters of other planes that are kept. Most texts have few of them, but one may have nothing else. */
const keptOthers = 8192;

const letterA = 0x61;
const breakPart: CharacterPart = { kind: "break" };
const han = /^[\p{Script=Han}〇]$/u;
const letter = /^[\p{L}\p{N}\p{M}]$/u;
// Marks of a script of their own are vowels in many of them. Those of every script are accents.
const accents = /[\p{M}&&\p{Script=Inherited}]/gv;

/** Removes case, width and accents. A character without a single lower-case form is converted through upper case: `ß` is `ss`. */
const fold = (character: string): string =>
  character.normalize("NFKD").toUpperCase().toLowerCase().normalize("NFKD").replaceAll(accents, "");

type Read = Pick<HanReading, "character" | "written" | "sounds" | "syllables">;

const toReading = ({ character, written, sounds, syllables }: Read): HanReading => ({
  character,
  written,
  sounds,
  syllables,
  // An earlier version, which may search the same database, does not know every simplified form.
  terms: [...[...new Set([character, written])].map(characterTerm), ...syllables.map(syllableTerm)],
  neighbours: {
    syllables: syllables.map(syllableNeighbour),
    initials: [...new Set(syllables.map(({ initial }) => codeOf(initial)))].map(initialNeighbour),
  },
  initials: syllables.reduce((bits, { initial }) => bits | (1 << (codeOf(initial) - letterA)), 0),
});

/** A text without a sound is read as if none were stored. */
function readingWith(reading: HanReading, stored: string): HanReading {
  const sound = readSound(stored);
  if (sound === null) return reading;
  const syllables = new Set([...reading.syllables, sound.syllable]);
  return toReading({ ...reading, sounds: withSound(reading.sounds, sound), syllables: [...syllables] });
}

function toHanPart(reading: HanReading, common: Syllable | null): HanPart {
  const entries: { readonly key: number; readonly reading: HanReading }[] = [];
  return {
    kind: "han",
    reading,
    readAs(pinyin) {
      const { key } = pinyin;
      for (const one of entries) if (one.key === key) return one.reading;
      const read = readingWith(reading, pinyin.syllable);
      if (entries.length < mostReadings) entries.push({ key, reading: read });
      return read;
    },
    common,
  };
}

/** Characters that were read. */
function createKept() {
  const pages: (readonly CharacterPart[] | undefined)[][] = [];
  const others = new Map<number, readonly CharacterPart[]>();
  return {
    get: (codePoint: number) =>
      codePoint < keptCharacters ? pages[codePoint >> 8]?.[codePoint & 255] : others.get(codePoint),
    set(codePoint: number, parts: readonly CharacterPart[]): void {
      if (codePoint >= keptCharacters) {
        if (others.size >= keptOthers) others.clear();
        others.set(codePoint, parts);
        return;
      }
      const page = (pages[codePoint >> 8] ??= Array.from<undefined>({ length: 256 }));
      page[codePoint & 255] = parts;
    },
  };
}

/**
 * Reads characters, and keeps what it has read.
 * @param readingsOf the readings of a Chinese character, such as `zhang3`, as the dictionary gives them
 */
export function createCharacters(readingsOf: (character: string) => readonly string[]): Characters {
  let simplifier: Simplifier | null = null;
  /** The table is read for the first Chinese character: most commands read none. */
  const simplify = (character: string): string => (simplifier ??= createSimplifier()).character(character);
  const soundsOf = (character: string): readonly Sound[] =>
    readingsOf(character).reduce<readonly Sound[]>((sounds, text) => {
      // The dictionary answers with a character itself that it does not know.
      const sound = text === character ? null : readSound(text);
      return sound === null ? sounds : withSound(sounds, sound);
    }, []);
  const toHan = (character: string): CharacterPart => {
    const form = simplify(character);
    const sounds = soundsOf(character);
    const simple = form === character ? sounds : soundsOf(form);
    const syllables = [...new Set([...simple, ...sounds].map(({ syllable }) => syllable))];
    const reading = toReading({ character: form, written: character, sounds, syllables });
    return toHanPart(reading, simple[0]?.syllable ?? null);
  };
  const kept = createKept();
  const read = (codePoint: number): readonly CharacterPart[] => {
    const reading = kept.get(codePoint);
    if (reading !== undefined) return reading;
    const character = String.fromCodePoint(codePoint);
    const parts = Array.from(fold(character), (part) => {
      if (!han.test(part)) return letter.test(part) ? { kind: "letter" as const, letter: part } : breakPart;
      // Many characters are only another form of one that is kept.
      return (part === character ? null : read(part.codePointAt(0) ?? 0)[0]) ?? toHan(part);
    });
    kept.set(codePoint, parts);
    return parts;
  };
  return { read };
}
