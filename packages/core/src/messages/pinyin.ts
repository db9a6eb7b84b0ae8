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
}

type Convert = (text: string, surname: "off" | "head") => readonly string[];

const han = /\p{Script=Han}|〇/u;
const joins = /[\p{L}\p{N}\p{M}]/u;
const syllable = /^[a-zü]+[0-4]$/u;

/** One space between two syllables, and between a syllable and a neighbouring letter, digit or mark; none elsewhere. */
function join(text: string, readings: readonly string[]): string {
  let out = "";
  let index = 0;
  let before: "syllable" | "word" | "other" = "other";
  for (const character of text) {
    const reading = readings[index] ?? character;
    index += 1;
    const here =
      reading !== character && syllable.test(reading) ? "syllable" : joins.test(character) ? "word" : "other";
    const touches = (here === "syllable" && before !== "other") || (here === "word" && before === "syllable");
    out += touches ? ` ${reading}` : reading;
    before = here;
  }
  return out;
}

/** The library, loaded: it costs 50 ms and 20 MB, so nobody pays for it who converts nothing. */
async function loadConverter(): Promise<Convert> {
  const { addTraditionalDict, pinyin } = await import("pinyin-pro");
  // The library's own state, shared by all instances; adding the same pairs again changes nothing.
  addTraditionalDict(traditionalPairs());
  return (text, surname) => pinyin(text, { type: "array", toneType: "num", surname, traditional: true });
}

/** A converter that keeps the pinyin of at most `names` names. */
export async function createPinyin(names: number): Promise<Pinyin> {
  const convert = await loadConverter();
  const kept = new LRUCache<string, string>({ max: names });
  const read = (text: string, surname: "off" | "head"): string =>
    han.test(text) ? join(text, convert(text, surname)) : text;
  const readName = (name: string, surname: "off" | "head"): string => {
    const key = `${surname} ${name}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const reading = read(name, surname);
    kept.set(key, reading);
    return reading;
  };
  return {
    text: (text) => read(text, "off"),
    groupName: (name) => readName(name, "off"),
    nickname: (name) => readName(name, "head"),
  };
}
