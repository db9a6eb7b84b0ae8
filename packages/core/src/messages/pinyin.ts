import { LRUCache } from "lru-cache";
import { traditionalPairs } from "./traditional.ts";

/** Turns Chinese into pinyin; everything else is copied as it is (interface 2.9). */
export interface Pinyin {
  /** The text of a message. */
  text(text: string): string;
  /** The name of a room: like a text, and kept. */
  groupName(name: string): string;
  /** The name of a person: surnames have readings of their own; kept. */
  nickname(name: string): string;
  /** Every reading of a character that the dictionary has, the most usual one first. */
  readingsOf(character: string): readonly string[];
}

/** What the library does. */
interface Converter {
  /** For each character its reading with the mark of its tone, or the character itself. */
  readonly read: (text: string, surname: "off" | "head") => readonly string[];
  /** A reading with the number of its tone in place of the mark. */
  readonly number: (reading: string) => string;
  readonly readingsOf: Pinyin["readingsOf"];
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
    const reading = marked === character ? character : number(marked);
    index += 1;
    const here =
      reading !== character && syllable.test(reading) ? "syllable" : joins.test(character) ? "word" : "other";
    const touches = (here === "syllable" && before !== "other") || (here === "word" && before === "syllable");
    out += touches ? ` ${reading}` : reading;
    before = here;
  }
  return out;
}

interface Kept {
  get(key: string): string | undefined;
  set(key: string, value: string): unknown;
}

/** A function that takes each value it has computed from `kept`, as long as it is there. */
const remember =
  (kept: Kept, compute: (text: string) => string) =>
  (text: string): string => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const computed = compute(text);
    kept.set(text, computed);
    return computed;
  };

/** Loads the library. That costs 50 ms and 20 MB, so it is done only where something is converted. */
async function loadConverter(): Promise<Converter> {
  const { addTraditionalDict, convert, pinyin } = await import("pinyin-pro");
  // The library's own state, shared by all instances; adding the same pairs again changes nothing.
  addTraditionalDict(traditionalPairs());
  return {
    read: (text, surname) => pinyin(text, { type: "array", surname, traditional: true }),
    // Numbering is more than half of the library's work on a text, and there are only some 1,500 readings.
    number: remember(new Map(), (reading) => convert(reading, { format: "symbolToNum" })),
    readingsOf: (character) => pinyin(character, { type: "array", multiple: true, toneType: "num" }),
  };
}

/** A converter that keeps the pinyin of at most `names` names of rooms, and of as many names of people. */
export async function createPinyin(names: number): Promise<Pinyin> {
  const converter = await loadConverter();
  const read = (text: string, surname: "off" | "head"): string =>
    han.test(text) ? join(text, converter.read(text, surname), converter.number) : text;
  const keep = (surname: "off" | "head") =>
    remember(new LRUCache<string, string>({ max: names }), (name) => read(name, surname));
  return {
    text: (text) => read(text, "off"),
    groupName: keep("off"),
    nickname: keep("head"),
    readingsOf: converter.readingsOf,
  };
}
