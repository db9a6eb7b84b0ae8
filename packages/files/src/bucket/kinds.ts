import { type FileKind, fileKinds } from "../records.ts";

/** Bytes at the start of a file, as Latin-1. */
const starts: readonly (readonly [FileKind, readonly string[]])[] = [
  ["other", ["%PDF", "\xd0\xcf\x11\xe0", "\x7fELF", "MZ"]],
  ["audio", ["ID3", "\xff\xfb", "\xff\xf3", "\xff\xf2", "\xff\xf1", "\xff\xf9", "fLaC", "MThd", "#!AMR"]],
  ["video", ["\x1aE\xdf\xa3", "\0\0\x01\xba", "FLV\x01"]],
  ["archive", ["\x1f\x8b", "7z\xbc\xaf\x27\x1c", "Rar!\x1a\x07", "\xfd7zXZ\0", "BZh", "\x28\xb5\x2f\xfd"]],
];

/** A ZIP file that is a document: its first entry names the type. */
const documents = ["mimetypeapplication/", "[Content_Types].xml", "_rels/"];

/** The kind of a file in a format that can contain several kinds. */
function containedIn(text: string): FileKind | null {
  if (text.startsWith("PK\x03\x04")) return documents.some((mark) => text.includes(mark)) ? "other" : "archive";
  if (text.startsWith("ustar", 257)) return "archive";
  if (text.startsWith("OggS")) return text.includes("theora") ? "video" : "audio";
  if (text.startsWith("RIFF"))
    return text.startsWith("AVI ", 8) ? "video" : text.startsWith("WAVE", 8) ? "audio" : null;
  if (text.startsWith("FORM") && text.startsWith("AIF", 8)) return "audio";
  if (text.startsWith("ftyp", 4)) return text.startsWith("M4", 8) ? "audio" : "video";
  return null;
}

// oxlint-disable-next-line no-control-regex -- a text has none of these
const controls = /[\0-\x08\x0e-\x1a\x1c-\x1f]/;

/** True for UTF-8 that may end within a character, and for UTF-16 with its mark. */
function isText(head: Uint8Array, text: string): boolean {
  if (text.startsWith("\xff\xfe") || text.startsWith("\xfe\xff")) return true;
  if (text === "" || controls.test(text)) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** The kind of a file that is not a picture, by its first bytes (`sniffLength`); the type that a client names is not trusted. */
export function kindOf(head: Uint8Array): FileKind {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString("latin1");
  const [kind] = starts.find(([, marks]) => marks.some((mark) => text.startsWith(mark))) ?? [containedIn(text)];
  return kind ?? (isText(head, text) ? "text" : "other");
}

const isKind = (kind: string): kind is FileKind => fileKinds.some((one) => one === kind);

/** The kind of an upload. That of an earlier version has none: pictures are known by their content, others by the type that a client named. */
export function shownKind({
  kind,
  ext,
  mime,
}: {
  readonly kind: string;
  readonly ext: string;
  readonly mime: string;
}): FileKind {
  if (isKind(kind)) return kind;
  if (ext !== "") return "picture";
  const [family = ""] = mime.split("/");
  return family !== "image" && isKind(family) ? family : "other";
}
