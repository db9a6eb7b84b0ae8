import { cut, rangesOf } from "./cut.ts";

/** One segment of a message (interface 2.10). */
export type Segment =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "image"; readonly file: string }
  | { readonly kind: "at"; readonly ext: string; readonly name: string }
  | { readonly kind: "reply"; readonly messageId: number }
  | { readonly kind: "recalled" }
  /** `url` is null for a file that is not on this server. */
  | { readonly kind: "file"; readonly name: string; readonly url: string | null };

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;
const textIn = (fields: Fields, name: string): string => {
  const value = fields[name];
  return typeof value === "string" ? value : "";
};

const base64url = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");

/** The URL from which a file can be downloaded (interface 2.10). */
function fileUrl(path: string, isExternal: boolean, name: string): string {
  return `/downloadFile/${base64url(path)}/${isExternal ? "ext" : "local"}/${encodeURIComponent(name)}`;
}

function readFile(fields: Fields): Segment {
  const path = textIn(fields, "relativePath");
  if (path === "") return { kind: "file", name: textIn(fields, "file"), url: null };
  const name = path.slice(path.lastIndexOf("/") + 1);
  return { kind: "file", name, url: fileUrl(path, textIn(fields, "isEXT") === "1", name) };
}

const readers: Readonly<Record<string, (fields: Fields) => Segment>> = {
  text: (fields) => ({ kind: "text", text: textIn(fields, "text") }),
  image: (fields) => ({ kind: "image", file: textIn(fields, "file") }),
  at: (fields) => ({ kind: "at", ext: textIn(fields, "ext"), name: textIn(fields, "name") }),
  reply: (fields) => ({ kind: "reply", messageId: Number(textIn(fields, "messageId")) }),
  file: readFile,
};

function readKind([kind, fields]: readonly [string, unknown]): readonly Segment[] {
  const reader = Object.hasOwn(readers, kind) ? readers[kind] : undefined;
  return reader !== undefined && isFields(fields) ? [reader(fields)] : [];
}

function readSegment(value: unknown): readonly Segment[] {
  return isFields(value) ? Object.entries(value).flatMap(readKind) : [];
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return null;
  }
}

/** The content of a recalled message. The server stores no text of a user in exactly this form. */
export const recalledContent = '[{"text":{"text":"[消息已撤回]"}}]';

/** The segments of a message by index. A segment of an unknown kind leaves an empty list at its index. */
export function segmentsByIndex(content: string): readonly (readonly Segment[])[] {
  if (content === recalledContent) return [[{ kind: "recalled" }]];
  const list = parse(content);
  return Array.isArray(list) ? list.map(readSegment) : [];
}

/** The segments of a message, without those of unknown kinds. */
export const readContent = (content: string): readonly Segment[] => segmentsByIndex(content).flat();

/** The words that stand for segments other than text in a summary. */
export interface SummaryWords {
  readonly image: string;
  readonly file: string;
  readonly recalled: string;
}

function summaryOf(segment: Segment, words: SummaryWords): string {
  switch (segment.kind) {
    case "text":
      return segment.text;
    case "image":
      return `[${words.image}]`;
    case "at":
      return ` @${segment.name === "" ? segment.ext : segment.name} `;
    case "file":
      return `[${words.file}] ${segment.name} `;
    case "recalled":
      return words.recalled;
    case "reply":
      return "";
  }
}

/** A message as one line, for lists, quotes and notifications. */
export const summarise = (segments: readonly Segment[], words: SummaryWords): string =>
  segments
    .map((segment) => summaryOf(segment, words))
    .join("")
    .replaceAll(/\s+/g, " ")
    .trim();

/** The text of a message, for copying. */
export const plainText = (segments: readonly Segment[]): string =>
  segments
    .map((segment) => (segment.kind === "text" ? segment.text : segment.kind === "at" ? `@${segment.name}` : ""))
    .join("");

/** A part of a text: plain, or a link. */
interface TextPart {
  readonly text: string;
  readonly isLink: boolean;
}

const address = /https?:\/\/[^\s<>"'）】」』，。；！？]*[^\s<>"'）】」』，。；！？.,;:!?)\]]/gu;

/** Splits a text at code between single backticks. An unpaired backtick is text. */
export function findCode(text: string): readonly { readonly text: string; readonly isCode: boolean }[] {
  const parts = text.split("`");
  const hasRest = parts.length % 2 === 0;
  const enclosed = hasRest ? parts.slice(0, -1) : parts;
  const found = enclosed.map((part, index) => ({ text: part, isCode: index % 2 === 1 && part !== "" }));
  return hasRest ? [...found, { text: `\`${parts.at(-1) ?? ""}`, isCode: false }] : found;
}

/** Splits a text at its links. */
export const findLinks = (text: string): readonly TextPart[] =>
  cut(text, rangesOf(text, address)).map(({ text: part, range }) => ({ text: part, isLink: range !== null }));

/** The form in which a model refers to a message of its room. */
const reference = /\[#\d{1,16}\]/g;

/** Splits a text at references to messages. */
export const findReferences = (text: string): readonly { readonly text: string; readonly messageId: number | null }[] =>
  cut(text, rangesOf(text, reference)).map(({ text: part, range }) => ({
    text: part,
    messageId: range === null ? null : Number(part.slice(2, -1)),
  }));
