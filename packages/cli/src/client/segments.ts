import { printable } from "../output.ts";

const fieldOf = (params: unknown, ...names: readonly string[]): string => {
  if (typeof params !== "object" || params === null) return "";
  const values = names.map((name): unknown => Reflect.get(params, name));
  return String(values.find((value) => typeof value === "string" && value !== "") ?? "");
};

/** One segment of a stored message (interface 2.10) as a person reads it. */
function readSegment(segment: unknown): string {
  const [kind, params] = typeof segment === "object" && segment !== null ? (Object.entries(segment)[0] ?? []) : [];
  switch (kind) {
    case "text":
      return fieldOf(params, "text");
    case "image":
      return `[picture ${fieldOf(params, "summary", "file")}]`;
    case "file":
      return `[file ${fieldOf(params, "name", "relativePath", "file")}]`;
    case "at":
      return `@${fieldOf(params, "name", "ext")} `;
    case "reply":
      return `[reply to ${fieldOf(params, "messageId")}] `;
    default:
      return "[unknown]";
  }
}

/** The content of a stored message as lines that are fit for a terminal. */
export function contentLines(content: string): string[] {
  const segments: unknown = JSON.parse(content);
  const text = Array.isArray(segments) ? segments.map(readSegment).join("") : "";
  return text.split(/\r\n|\r|\n/).map(printable);
}
