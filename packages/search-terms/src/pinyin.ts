import { createRequire } from "node:module";
import { LRUCache } from "lru-cache";
import type * as Library from "pinyin-pro";
import { createSimplifier } from "./traditional.ts";

/** Turns Chinese into pinyin; everything else is copied as it is (interface 2.9). */
export interface Pinyin {
  /** The text of a message. */
  text(text: string): string;
  /** The name of a room: like a text, and kept. */
  groupName(name: string): string;
  /** The name of a person: surnames have their own readings; kept. */
  nickname(name: string): string;
  /** True for a text that may have traditional characters. */
  hasTraditional(text: string): boolean;
  /** Every reading of a character that the dictionary has, the most usual one first. */
  readingsOf(character: string): readonly string[];
}

/** A reading with the number of its tone. */
interface Reading {
  readonly text: string;
  readonly isSyllable: boolean;
}

/** The functions of the library. */
interface Converter {
  /** For each character its reading with the mark of its tone, or the character itself. */
  readonly read: (text: string, surname: "off" | "head") => readonly string[];
  /** A reading with the number of its tone in place of the mark. */
  readonly number: (reading: string) => Reading;
  readonly readingsOf: Pinyin["readingsOf"];
  readonly isTraditional: (text: string) => boolean;
}

const han = /\p{Script=Han}|〇/u;
const joins = /[\p{L}\p{N}\p{M}]/u;
const syllable = /^[a-zü]+[0-4]$/u;

/** One space between two syllables, and between a syllable and a neighbouring letter, digit or mark; none elsewhere. */
function join(text: string, readings: readonly string[], number: Converter["number"]): string {
  let out = "";
  let index = 0;
  let before: "syllable" | "word" | "other" = "other";
  for (const character of text) {
    const marked = readings[index] ?? character;
    const reading = marked === character ? null : number(marked);
    index += 1;
    const here = reading?.isSyllable === true ? "syllable" : joins.test(character) ? "word" : "other";
    const touches = (here === "syllable" && before !== "other") || (here === "word" && before === "syllable");
    const written = reading?.text ?? character;
    out += touches ? ` ${written}` : written;
    before = here;
  }
  return out;
}

interface Kept<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): unknown;
}

/** A function that takes each value it has computed from `kept`, while it is there. */
const remember =
  <T>(cache: Kept<T>, compute: (text: string) => T) =>
  (text: string): T => {
    const cached = cache.get(text);
    if (cached !== undefined) return cached;
    const computed = compute(text);
    cache.set(text, computed);
    return computed;
  };

/** The library, which is loaded here: views of rooms cannot wait for an import, and most commands convert nothing. */
function loadLibrary(): typeof Library {
  // With a name: what collects the files of an application, as builds of Nuxt and Next do, does not see a call without one.
  const load = createRequire(import.meta.url);
  // oxlint-disable-next-line typescript/no-unsafe-assignment -- `require` does not know what it loads.
  const library: typeof Library = load("pinyin-pro");
  return library;
}

/** Some rare characters have a reading in their traditional form only. */
function readingsOfWritten(
  text: string,
  simplified: string,
  readings: readonly string[],
  pinyin: typeof Library.pinyin,
): readonly string[] {
  const forms = Array.from(simplified);
  return Array.from(text, (character, at) => {
    const reading = readings[at] ?? character;
    return reading === forms[at] ? pinyin(character) : reading;
  });
}

/** Numbering is more than half of the library's work on a text, and there are only some 1,500 readings. */
const createNumbering = (convert: typeof Library.convert): Converter["number"] =>
  remember(new Map<string, Reading>(), (reading) => {
    const text = convert(reading, { format: "symbolToNum" });
    return { text, isSyllable: syllable.test(text) };
  });

/** Loads the library and its dictionary. That costs 50 ms and 20 MB. */
function loadConverter(): Converter {
  const { convert, pinyin } = loadLibrary();
  const simplifier = createSimplifier();
  return {
    read(text, surname) {
      // The dictionary has words in simplified characters only.
      const simplified = simplifier.text(text);
      const readings = pinyin(simplified, { type: "array", surname });
      return simplified === text ? readings : readingsOfWritten(text, simplified, readings, pinyin);
    },
    number: createNumbering(convert),
    isTraditional: simplifier.isTraditional,
    readingsOf: (character) => pinyin(character, { type: "array", multiple: true, toneType: "num" }),
  };
}

/**
 * Converts a first text, for which the library is loaded and builds its tables: about 100 ms in one tick. A server calls it before it listens, so
 * that no connection waits for this; otherwise the first Chinese text would. A command that converts nothing saves the time.
 */
export function warmPinyin(): void {
  loadConverter().read("中", "off");
}

const createCache = (names: number) => new LRUCache<string, string>({ maxSize: names, sizeCalculation: () => 1 });

/** A converter that keeps the pinyin of at most `names` names of rooms, and of as many names of people. It loads the library for its first Chinese text. */
export function createPinyin(names: number): Pinyin {
  let loaded: Converter | null = null;
  const converter = (): Converter => (loaded ??= loadConverter());
  const read = (text: string, surname: "off" | "head"): string =>
    han.test(text) ? join(text, converter().read(text, surname), converter().number) : text;
  const keep = (surname: "off" | "head") => remember<string>(createCache(names), (name) => read(name, surname));
  return {
    text: (text) => read(text, "off"),
    groupName: keep("off"),
    nickname: keep("head"),
    hasTraditional: (text) => han.test(text) && converter().isTraditional(text),
    readingsOf: (character) => converter().readingsOf(character),
  };
}
