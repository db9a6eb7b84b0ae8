import { createHash, type Hash } from "node:crypto";
import {
  type BlobStore,
  type ByteStream,
  DamagedBlobError,
  type RecordStore,
  TransferError,
} from "@telex/core/storage";
import { type NamedBlob, namedBlobs } from "./named-blobs.ts";

async function* hashed(stream: ByteStream, hash: Hash): ByteStream {
  for await (const chunk of stream) {
    hash.update(chunk);
    yield chunk;
  }
}

/** The fault of a blob, or null for one without a fault. */
async function checkBlob(blobs: BlobStore, { blobId, digest }: NamedBlob): Promise<"missing" | "damaged" | null> {
  const stream = await blobs.open(blobId);
  if (stream === null) return "missing";
  const hash = createHash(digest.algorithm);
  try {
    for await (const chunk of stream) hash.update(chunk);
  } catch (error) {
    if (DamagedBlobError.is(error)) return "damaged";
    throw error;
  }
  return hash.digest("hex") === digest.hex ? null : "damaged";
}

async function hasBlob(blobs: Pick<BlobStore, "open">, blobId: string): Promise<boolean> {
  const stream = await blobs.open(blobId, { start: 0, end: 0 });
  await stream?.[Symbol.asyncIterator]().return?.();
  return stream !== null;
}

/** Returns the reason why a blob was not copied. Throws other errors again. */
async function reasonOf(error: unknown, from: Pick<BlobStore, "open">, blobId: string) {
  if (!(await hasBlob(from, blobId))) return "missing";
  if (DamagedBlobError.is(error)) return "damaged";
  throw error;
}

/**
 * Copies a blob, and checks its bytes on the way. Removes a damaged copy from the target. A blob that somebody deletes during the copy
 * counts as missing, because some stores drop its bytes while they are read.
 */
async function copyBlob(
  from: Pick<BlobStore, "open">,
  to: Pick<BlobStore, "put" | "delete">,
  { blobId, digest }: NamedBlob,
): Promise<"missing" | "damaged" | null> {
  const stream = await from.open(blobId);
  if (stream === null) return "missing";
  const hash = createHash(digest.algorithm);
  try {
    await to.put(blobId, hashed(stream, hash));
  } catch (error) {
    return await reasonOf(error, from, blobId);
  }
  if (hash.digest("hex") === digest.hex) return null;
  await to.delete(blobId);
  return "damaged";
}

/** The sentence for a file whose bytes do not match its record. */
const damagedFile = (md5: string, fault: "missing" | "damaged", where: string): TransferError =>
  new TransferError("damaged_file", `The bytes of file ${md5} are ${fault} in the ${where}.`);

/** A file that was left out. */
export interface DamagedFile {
  readonly md5: string;
  readonly fault: "missing" | "damaged";
}

/** The files that were moved. */
export interface FilesReport {
  /** The number of files in the target. */
  readonly count: number;
  /** Bytes of them. */
  readonly bytes: number;
  readonly damaged: readonly DamagedFile[];
}

/** The sources of the names of blobs, and of their bytes. */
interface FileSource {
  readonly records: RecordStore;
  readonly blobs: Pick<BlobStore, "open" | "list">;
}

/** Copies every blob that is not in the target. A blob is complete or absent, so comparing its size is enough. */
export async function copyFiles(
  source: FileSource,
  to: Pick<BlobStore, "put" | "delete" | "list">,
  options: { readonly skipDamaged: boolean; readonly progress: (done: number, total: number) => void },
): Promise<FilesReport> {
  const present = new Map<string, number>();
  for await (const { blobId, size } of to.list()) present.set(blobId, size);
  const total = await source.records.count("files");
  const damaged: DamagedFile[] = [];
  let count = 0;
  let bytes = 0;
  for await (const blob of namedBlobs(source.records, source.blobs)) {
    const isThere = present.get(blob.blobId) === blob.size;
    const fault = isThere ? null : await copyBlob(source.blobs, to, blob);
    if (fault !== null && !options.skipDamaged) throw damagedFile(blob.md5, fault, "source");
    if (fault === null) bytes += blob.size;
    else damaged.push({ md5: blob.md5, fault });
    count += fault === null ? 1 : 0;
    options.progress(count + damaged.length, Math.max(total, count + damaged.length));
  }
  return { count, bytes, damaged };
}

/**
 * Reads every blob of the target to the end. Removes a damaged one, so that the next attempt copies it.
 * @throws TransferError `damaged_file` (as a rejection)
 */
export async function checkFiles(source: FileSource, to: BlobStore, { damaged }: FilesReport): Promise<void> {
  const left = new Set(damaged.map(({ md5 }) => md5));
  for await (const blob of namedBlobs(source.records, source.blobs)) {
    const fault = left.has(blob.md5) ? null : await checkBlob(to, blob);
    if (fault === null) continue;
    await to.delete(blob.blobId);
    throw damagedFile(blob.md5, fault, "target, and are removed from it; a repeat copies them again");
  }
}
