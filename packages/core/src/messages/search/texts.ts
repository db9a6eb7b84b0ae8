import type { MessageRecord } from "../store.ts";

/** A text of a message in which words are looked for. */
interface SearchedText {
  /** The index of its segment. */
  readonly segment: number;
  readonly text: string;
  /** `""` where none is stored. */
  readonly pinyin: string;
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

const textIn = (value: object, name: string): string | null => {
  const text: unknown = Reflect.get(value, name);
  return typeof text === "string" ? text : null;
};

const objectIn = (value: unknown, name: string): object | null => {
  const object: unknown = isObject(value) ? Reflect.get(value, name) : null;
  return isObject(object) ? object : null;
};

/** The segments of a stored text (interface 2.10). None where it is not in that form: a schema would take longer than the search. */
function read(stored: string): readonly unknown[] {
  try {
    const segments: unknown = JSON.parse(stored);
    return Array.isArray(segments) ? segments : [];
  } catch {
    return [];
  }
}

/** A file's name: the end of its path, or all that is known of a file of an external network. */
function nameOf(file: object): string | null {
  const path = textIn(file, "relativePath");
  return path === null ? textIn(file, "file") : path.slice(path.lastIndexOf("/") + 1);
}

function textOf(segment: unknown): string | null {
  const text = objectIn(segment, "text");
  if (text !== null) return textIn(text, "text");
  const file = objectIn(segment, "file");
  return file === null ? null : nameOf(file);
}

/** The texts and file names of a message. */
export function searchedTexts({ content, pinyin }: Pick<MessageRecord, "content" | "pinyin">): readonly SearchedText[] {
  const readings = read(pinyin);
  return read(content).flatMap((segment, at) => {
    const text = textOf(segment);
    if (text === null) return [];
    const reading = objectIn(readings[at], "text");
    return [{ segment: at, text, pinyin: reading === null ? "" : (textIn(reading, "text") ?? "") }];
  });
}
