import type { MemberView } from "./api.ts";
import { cut, rangesOf } from "./cut.ts";

/** The name of a member in a room. */
export const nameOf = ({ card, nickname }: Pick<MemberView, "card" | "nickname">): string => card ?? nickname;

/** Removes differences of case, width and accents. */
const fold = (text: string): string => text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLocaleLowerCase();

const syllablesOf = (pinyin: string): readonly string[] =>
  fold(pinyin).replaceAll(/\d/g, "").split(/\s+/).filter(Boolean);

/** True if `query` consists of prefixes of consecutive syllables. */
function spells(query: string, syllables: readonly string[]): boolean {
  const [first, ...rest] = syllables;
  if (query === "") return true;
  if (first === undefined) return false;
  for (let length = Math.min(query.length, first.length); length > 0; length -= 1) {
    if (first.startsWith(query.slice(0, length)) && spells(query.slice(length), rest)) return true;
  }
  return false;
}

/** True if the name of a member contains the typed text, or its pinyin or the initials of its pinyin match. */
export function isMeant(member: Pick<MemberView, "card" | "nickname" | "nicknamePinyin">, typed: string): boolean {
  const query = fold(typed);
  const isNamed = [member.card ?? "", member.nickname].some((name) => fold(name).includes(query));
  return isNamed || spells(query.replaceAll(" ", ""), syllablesOf(member.nicknamePinyin));
}

/** A name that is being typed after an `@`. */
interface Typing {
  /** The index of the `@` in the text. */
  readonly at: number;
  readonly query: string;
}

/** The maximum length of a typed mention, in code points. */
const longestQuery = 32;

/** The mention that is being typed before the caret, or null. */
export function typedMention(text: string, caret: number): Typing | null {
  const before = text.slice(0, caret);
  const at = before.lastIndexOf("@");
  if (at === -1 || /\w/.test(before[at - 1] ?? " ")) return null;
  const query = before.slice(at + 1);
  return /[\s@]/.test(query) || query.length > longestQuery ? null : { at, query };
}

/** A part of a text, which may mention a member. */
interface Mentioned {
  readonly text: string;
  readonly member: MemberView | null;
}

const literally = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

/** Matches one of these names after an `@`, the longest first. */
function patternOf(names: readonly string[]): RegExp {
  const longestFirst = names.toSorted((a, b) => b.length - a.length);
  return new RegExp(`(?<![\\w@])@(${longestFirst.map(literally).join("|")})(?![\\p{L}\\p{N}_])`, "gu");
}

/** Splits a text at mentions of members of the room. */
export function findMentions(text: string, members: readonly MemberView[]): readonly Mentioned[] {
  const byName = new Map(members.filter((member) => nameOf(member) !== "").map((member) => [nameOf(member), member]));
  if (byName.size === 0 || !text.includes("@")) return [{ text, member: null }];
  const pieces = cut(text, rangesOf(text, patternOf([...byName.keys()])));
  return pieces.map(({ text: part, range }) => ({ text: part, member: byName.get(range?.group ?? "") ?? null }));
}
