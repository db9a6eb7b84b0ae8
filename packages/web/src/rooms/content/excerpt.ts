import type { Match } from "./api.ts";
import { segmentsByIndex, type Segment, type SummaryWords, summarise } from "./content.ts";
import { cut } from "./cut.ts";

/** A part of an excerpt, which may match the query. */
interface Part {
  readonly text: string;
  readonly isMatch: boolean;
}

/** The maximum length of an excerpt, and of its part before the first match, in UTF-16 units. */
const longest = 240;
const ahead = 48;

const spaces = (text: string): string => text.replaceAll(/\s+/g, " ");

/** Joins matches that overlap or touch. */
function join(matches: readonly Match[]): readonly Match[] {
  const joined: Match[] = [];
  for (const match of matches.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last === undefined || match.start > last.end) joined.push(match);
    else joined.splice(-1, 1, { ...last, end: Math.max(last.end, match.end) });
  }
  return joined;
}

/** Splits a text at the beginnings and ends of matches. */
const mark = (text: string, matches: readonly Match[]): readonly Part[] =>
  cut(text, join(matches)).map(({ text: part, range }) => ({ text: part, isMatch: range !== null }));

function partsOf(segment: Segment, matches: readonly Match[], words: SummaryWords): readonly Part[] {
  if (segment.kind === "text") return mark(segment.text, matches);
  if (segment.kind === "reply") return [];
  if (segment.kind !== "file") return [{ text: `${summarise([segment], words)} `, isMatch: false }];
  return [{ text: ` [${words.file}] `, isMatch: false }, ...mark(segment.name, matches)];
}

/** The beginning of a text, without half a surrogate pair at its end. */
const head = (text: string, length: number): string => text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
const tail = (text: string, length: number): string => text.slice(-length).replace(/^[\uDC00-\uDFFF]/, "");

const cutStart = (text: string): string => (text.length > ahead ? `…${tail(text, ahead)}` : text.trimStart());

/** Shortens a long text before the first match. */
function cutBefore(parts: readonly Part[]): readonly Part[] {
  const first = parts.findIndex(({ isMatch }) => isMatch);
  if (first === -1) return parts;
  const before = parts.slice(0, first).map(({ text }) => text);
  return [{ text: cutStart(before.join("")), isMatch: false }, ...parts.slice(first)];
}

function cutAfter(parts: readonly Part[]): readonly Part[] {
  const shown: Part[] = [];
  let rest = longest;
  for (const { text, isMatch } of parts) {
    if (rest <= 0) break;
    shown.push({ text: text.length > rest ? `${head(text, rest)}…` : text, isMatch });
    rest -= text.length;
  }
  return shown;
}

/** The whole message, with its matches marked. */
function markAll(content: string, matches: readonly Match[], words: SummaryWords): readonly Part[] {
  return segmentsByIndex(content).flatMap((segments, index) => {
    const within = matches.filter(({ segment }) => segment === index);
    return segments.flatMap((segment) => partsOf(segment, within, words));
  });
}

/** A few lines of a message around its first match. */
export function excerpt(content: string, matches: readonly Match[], words: SummaryWords): readonly Part[] {
  const parts = markAll(content, matches, words).map(({ text, isMatch }) => ({ text: spaces(text), isMatch }));
  return cutAfter(cutBefore(parts)).filter(({ text }) => text !== "");
}
