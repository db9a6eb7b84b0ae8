import type { Segment } from "./frames.ts";

/** The last one is `&amp;`, so that nothing is unescaped twice. */
const unescape = (text: string): string =>
  text.replaceAll("&#44;", ",").replaceAll("&#91;", "[").replaceAll("&#93;", "]").replaceAll("&amp;", "&");

const code = /\[CQ:([\w.-]+)((?:,[^,=\]]+=[^,\]]*)*)\]/g;

function readParameters(text: string): Record<string, string> {
  const pairs = text
    .split(",")
    .filter((pair) => pair !== "")
    .map((pair): [string, string] => {
      const at = pair.indexOf("=");
      return [pair.slice(0, at), unescape(pair.slice(at + 1))];
    });
  return Object.fromEntries(pairs);
}

const textSegment = (text: string): Segment[] =>
  text === "" ? [] : [{ type: "text", data: { text: unescape(text) } }];

/** The parts of a message that OneBot 11 writes as one string with CQ codes, such as `[CQ:at,qq=7] hello`. */
export function readCqCodes(message: string): Segment[] {
  const segments: Segment[] = [];
  let end = 0;
  for (const match of message.matchAll(code)) {
    segments.push(...textSegment(message.slice(end, match.index)));
    segments.push({ type: match[1] ?? "", data: readParameters(match[2] ?? "") });
    end = match.index + match[0].length;
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
