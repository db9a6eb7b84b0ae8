/** The texts of a message as it is stored: JSON lists of segments (interface 2.10). */
export interface StoredTexts {
  readonly content: string;
  /** The same segments, with pinyin in place of Chinese characters. */
  readonly pinyin: string;
}

/** A text of a message in which words are looked for. */
interface SearchedText {
  /** The index of its segment. */
  readonly segment: number;
  readonly text: string;
  /** `""` if none is stored. */
  readonly pinyin: string;
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** The segments of a stored text (interface 2.10). None if it is not in that form: a schema would take longer than the search. */
function read(stored: string): readonly unknown[] {
  try {
    const segments: unknown = JSON.parse(stored);
    return Array.isArray(segments) ? segments : [];
  } catch {
    return [];
  }
}

/** A file's name: the end of its path, or whatever is known of a file of an external network. */
function nameOf(file: object): string | null {
  const path = "relativePath" in file ? textOrNull(file.relativePath) : null;
  if (path !== null) return path.slice(path.lastIndexOf("/") + 1);
  return "file" in file ? textOrNull(file.file) : null;
}

/** The text of a segment that has one. */
export function textIn(segment: unknown): string | null {
  if (!isObject(segment) || !("text" in segment) || !isObject(segment.text)) return null;
  return "text" in segment.text ? textOrNull(segment.text.text) : null;
}

const nameIn = (segment: unknown): string | null =>
  isObject(segment) && "file" in segment && isObject(segment.file) ? nameOf(segment.file) : null;

const beginOfText = '[{"text":{"text":"';
const endOfText = '"}}]';
/** Characters that JSON escapes, or that it does not allow. */
// oxlint-disable-next-line no-control-regex -- JSON has none
const escaped = /[\\\u0000-\u001F]/;

/** The text of a message with one segment and no escapes, as most are: parsing takes six times as long. Null for all others. */
function onlyText(stored: string): string | null {
  const end = stored.length - endOfText.length;
  const isOne = stored.startsWith(beginOfText) && stored.indexOf('"', beginOfText.length) === end;
  return isOne && stored.endsWith(endOfText) && !escaped.test(stored) ? stored.slice(beginOfText.length, end) : null;
}

/** The texts and file names of a message. */
export function searchedTexts({ content, pinyin }: StoredTexts): readonly SearchedText[] {
  const [only, onlyPinyin] = [onlyText(content), onlyText(pinyin)];
  if (only !== null && onlyPinyin !== null) return [{ segment: 0, text: only, pinyin: onlyPinyin }];
  const readings = read(pinyin);
  const texts: SearchedText[] = [];
  for (const [segment, value] of read(content).entries()) {
    const text = textIn(value) ?? nameIn(value);
    if (text !== null) texts.push({ segment, text, pinyin: textIn(readings[segment]) ?? "" });
  }
  return texts;
}
