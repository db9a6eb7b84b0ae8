import { mostCharacters, mostSegments } from "./fields.ts";
import type { Segment } from "./frames.ts";

/** `&amp;` comes last, so that no character is unescaped twice. */
const unescape = (text: string): string =>
  text.replaceAll("&#44;", ",").replaceAll("&#91;", "[").replaceAll("&#93;", "]").replaceAll("&amp;", "&");

/** No escape has more characters than `&#91;`. */
const longestEscape = 5;
/** Maximum parameters of a code that are read. */
const maxParameters = 64;

// A code ends before the next `[`, which must be escaped in it: otherwise many beginnings would each be read to the end of the text.
const code = /\[CQ:([^[\]]*)\]/g;

/** Reads the text between `[CQ:` and `]`; null if it is not a code. */
function readCode(body: string): Segment | null {
  const [type = "", ...pairs] = body.split(",", maxParameters + 1);
  const parameters = pairs.map((pair) => ({ pair, at: pair.indexOf("=") }));
  if (!/^[\w.-]+$/.test(type) || parameters.some(({ at }) => at < 1)) return null;
  const data = parameters.map(({ pair, at }): [string, string] => [pair.slice(0, at), unescape(pair.slice(at + 1))]);
  return { type, data: Object.fromEntries(data) };
}

const textSegment = (text: string): Segment[] =>
  text === "" ? [] : [{ type: "text", data: { text: unescape(text.slice(0, longestEscape * mostCharacters)) } }];

/**
 * The parts of a message that OneBot 11 writes as one string with CQ codes, such as `[CQ:at,qq=7] hello`. A message that is too long is
 * read until that is certain.
 */
export function readCqCodes(message: string): Segment[] {
  const segments: Segment[] = [];
  let end = 0;
  for (const match of message.matchAll(code)) {
    const read = readCode(match[1] ?? "");
    if (read === null) continue;
    segments.push(...textSegment(message.slice(end, match.index)), read);
    end = match.index + match[0].length;
    if (segments.length >= mostSegments) return segments;
  }
  return [...segments, ...textSegment(message.slice(end))];
}

const escapeText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("[", "&#91;").replaceAll("]", "&#93;");

const parameter = ([name, value]: [string, unknown]): string =>
  `,${name}=${escapeText(String(value)).replaceAll(",", "&#44;")}`;

/** The same parts as one string. */
export const writeCqCodes = (message: readonly Segment[]): string =>
  message
    .map(({ type, data }) =>
      type === "text"
        ? escapeText(String(data["text"]))
        : `[CQ:${type}${Object.entries(data).map(parameter).join("")}]`,
    )
    .join("");
