import { printableLines } from "../terminal/output.ts";
import { isObject, textOf } from "../input/unknown.ts";

/** The first non-empty one of these params. */
const param = (params: unknown, ...names: readonly string[]): string =>
  names.map((name) => textOf(params, name, "")).find((text) => text !== "") ?? "";

/** One segment of a stored message (interface 2.10) for a person. */
function readSegment(segment: unknown): string {
  const [kind, params] = isObject(segment) ? (Object.entries(segment)[0] ?? []) : [];
  switch (kind) {
    case "text":
      return param(params, "text");
    case "image":
      return `[picture ${param(params, "summary", "file")}]`;
    case "file":
      return `[file ${param(params, "name", "relativePath", "file")}]`;
    case "at":
      return `@${param(params, "name", "ext")} `;
    case "reply":
      return `[reply to ${param(params, "messageId")}] `;
    default:
      return "[unknown]";
  }
}

/** The content of a stored message as lines for a terminal. */
export function contentLines(content: string): string[] {
  const segments: unknown = JSON.parse(content);
  const text = Array.isArray(segments) ? segments.map(readSegment).join("") : "";
  return printableLines(text);
}
