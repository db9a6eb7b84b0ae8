import { createHash } from "node:crypto";
import { open, type FileHandle } from "node:fs/promises";
import type { ByteStream } from "@telex/core/storage";
import { Failure } from "../errors/errors.ts";
import { readLines } from "../transfer/lines.ts";
import { fieldOf, jsonOf, textOf } from "../input/unknown.ts";
import { isFilePath } from "./backup-folder.ts";

const format = "telex-backup";
const version = 1;

/** A file of a backup. */
export interface Entry {
  /** The path, such as `blobs/ab/abcd…`; an encrypted one ends with `.age`. */
  readonly name: string;
  /** Bytes before encryption. */
  readonly size: number;
  /** The digest of the file in the backup. */
  readonly sha256: string;
}

/** The first line of a manifest. */
interface Header {
  /** ISO 8601. */
  readonly createdAt: string;
  readonly isEncrypted: boolean;
}

/** The number of files in a backup, and of their bytes before encryption. */
interface Total {
  readonly files: number;
  readonly bytes: number;
}

/** A manifest being written. Disposing of it closes its file, complete or not. */
export interface ManifestWriter extends AsyncDisposable {
  add(entry: Entry): Promise<void>;
  /** Writes the last line, which marks the manifest as complete. */
  end(): Promise<void>;
}

const lineOf = (value: object): string => `${JSON.stringify(value)}\n`;

/** Begins a manifest in a new file: a line for the backup, one for each file, and a last line. */
export async function writeManifest(path: string, { createdAt, isEncrypted }: Header): Promise<ManifestWriter> {
  const handle: FileHandle = await open(path, "wx", 0o600);
  const total = { files: 0, bytes: 0 };
  const write = async (value: object): Promise<void> => await handle.appendFile(lineOf(value));
  await write({ format, version, createdAt, encrypted: isEncrypted });
  return {
    async add(entry) {
      total.files += 1;
      total.bytes += entry.size;
      await write(entry);
    },
    async end() {
      await write({ ...total });
      await handle.sync();
    },
    [Symbol.asyncDispose]: async () => await handle.close(),
  };
}

const damaged = (place: string): Failure =>
  new Failure("backup_damaged", `The manifest of ${place} cannot be read: it is damaged or not complete.`);

const newer = (place: string): Failure =>
  new Failure("backup_unknown", `${place} was written by a newer Telex. Restore it with that Telex.`);

function parse(text: string, place: string): unknown {
  const value = jsonOf(text);
  if (value === undefined) throw damaged(place);
  return value;
}

function entryOf(value: unknown, place: string): Entry {
  const [name, sha256] = [textOf(value, "name", ""), textOf(value, "sha256", "")];
  const size = fieldOf(value, "size");
  // A name becomes a path, so only names of this form are accepted.
  if (!isFilePath(name) || sha256 === "" || typeof size !== "number") throw damaged(place);
  return { name, sha256, size };
}

function headerOf(value: unknown, place: string): Header {
  if (fieldOf(value, "format") !== format) throw damaged(place);
  if (fieldOf(value, "version") !== version) throw newer(place);
  return { createdAt: textOf(value, "createdAt", ""), isEncrypted: fieldOf(value, "encrypted") === true };
}

/** A complete manifest. */
export interface Manifest extends Header, Total {
  /** Every file, including the database. */
  entries(): AsyncIterable<Entry>;
}

/** The lines between the header and the total. */
async function* readEntries(path: string, place: string, files: number): AsyncGenerator<Entry> {
  let at = 0;
  for await (const { text } of readLines(path, 0)) {
    if (at > 0 && at <= files) yield entryOf(parse(text, place), place);
    at += 1;
  }
}

/**
 * Reads a manifest from a local file.
 * @param place the name of the backup in errors
 * @throws Failure `backup_damaged`, `backup_unknown`
 */
export async function readManifest(path: string, place: string): Promise<Manifest> {
  let header: Header | null = null;
  let last: unknown = null;
  let lines = 0;
  for await (const { text } of readLines(path, 0)) {
    last = parse(text, place);
    header ??= headerOf(last, place);
    lines += 1;
  }
  const [files, bytes] = [fieldOf(last, "files"), fieldOf(last, "bytes")];
  if (header === null || files !== lines - 2 || typeof bytes !== "number") throw damaged(place);
  const total: Total = { files: lines - 2, bytes };
  return { ...header, ...total, entries: () => readEntries(path, place, total.files) };
}

/** The same stream, and the number and SHA-256 of its bytes once it has been read. */
export function measured(bytes: ByteStream): {
  readonly stream: ByteStream;
  readonly result: () => { readonly size: number; readonly sha256: string };
} {
  const hash = createHash("sha256");
  let size = 0;
  async function* stream(): ByteStream {
    for await (const chunk of bytes) {
      hash.update(chunk);
      size += chunk.byteLength;
      yield chunk;
    }
  }
  return { stream: stream(), result: () => ({ size, sha256: hash.digest("hex") }) };
}
