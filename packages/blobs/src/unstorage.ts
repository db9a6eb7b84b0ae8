import { randomBytes } from "node:crypto";
import { type Clock, systemClock, TelexError } from "@telex/core";
import type { BlobEntry, BlobStore, ByteRange, ByteStream } from "@telex/core/storage";
import { assertBlobId, isBlobId } from "./names.ts";
import { copyOf, span } from "./range.ts";

/** The methods of an unstorage `Storage` that are used: `createStorage({driver})`, or `prefixStorage(storage, "blobs")`. */
export interface UnstorageLike {
  /** Stores bytes under a key. */
  setItemRaw(key: string, value: Uint8Array): Promise<void>;
  /** True if the key exists. Called only if reading fails, because some drivers throw for a missing key. */
  hasItem(key: string): Promise<boolean>;
  /** The bytes under a key, or null. */
  getItemRaw(key: string): Promise<unknown>;
  /** Removes a key. */
  removeItem(key: string): Promise<void>;
  /** The keys that begin with this base, or all keys. */
  getKeys(base?: string): Promise<string[]>;
}

/** Options of {@link createUnstorageBlobs}. */
export interface UnstorageBlobsOptions {
  /** Dates blobs. Default: the machine's. */
  readonly clock?: Clock;
}

/** Bytes of a part: the memory that an upload needs, and a size that every driver accepts. */
const partSize = 2 ** 20;

/** Prefix of heads. A head marks its blob as complete: its parts are stored before the head and removed after it. */
const heads = "heads";
const parts = "parts";
const headOf = (blobId: string): string => `${heads}:${blobId}`;
const partOf = (upload: string, index: number): string => `${parts}:${upload}:${index}`;

interface Head {
  /** The name of the parts: the time at which the upload began, and random characters. */
  readonly upload: string;
  /** Bytes. */
  readonly size: number;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

/** The last bytes of a head. They are missing if a driver wrote only a part of it. */
const headEnd = "whole";

const packHead = ({ upload, size, createdAt }: Head): Uint8Array =>
  new TextEncoder().encode([upload, size, createdAt, headEnd].join(" "));

/** Parses a head. Null if an aborted write left the bytes. */
function unpackHead(bytes: Uint8Array | null): Head | null {
  const [upload = "", size = "", createdAt = "", end] = new TextDecoder().decode(bytes ?? new Uint8Array()).split(" ");
  return end === headEnd ? { upload, size: Number(size), createdAt: Number(createdAt) } : null;
}

/** The bytes under a key, or null. */
async function read(storage: UnstorageLike, key: string): Promise<Uint8Array | null> {
  const value = await storage.getItemRaw(key);
  if (value === null || value === undefined) return null;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (value instanceof Uint8Array) return value;
  throw new TypeError("This unstorage driver does not give bytes back as bytes; choose one that does.");
}

const readHead = async (storage: UnstorageLike, blobId: string): Promise<Head | null> =>
  unpackHead(await read(storage, headOf(blobId)));

/** Cuts a stream into parts. Each part has its own buffer, because a driver may keep it. */
async function* cut(stream: ByteStream): AsyncGenerator<Uint8Array> {
  let buffer = new Uint8Array(partSize);
  let size = 0;
  for await (const chunk of stream) {
    for (let at = 0; at < chunk.byteLength;) {
      const piece = chunk.subarray(at, at + partSize - size);
      buffer.set(piece, size);
      size += piece.byteLength;
      at += piece.byteLength;
      if (size < partSize) continue;
      yield buffer;
      buffer = new Uint8Array(partSize);
      size = 0;
    }
  }
  if (size > 0) yield copyOf(buffer.subarray(0, size));
}

async function removeParts(storage: UnstorageLike, upload: string, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await storage.removeItem(partOf(upload, index));
}

/** Stores the parts, and then the head, which makes the blob visible. */
async function put(storage: UnstorageLike, blobId: string, bytes: ByteStream, head: Omit<Head, "size">): Promise<void> {
  let size = 0;
  let count = 0;
  try {
    for await (const part of cut(bytes)) {
      count += 1;
      await storage.setItemRaw(partOf(head.upload, count - 1), part);
      size += part.byteLength;
    }
    await storage.setItemRaw(headOf(blobId), packHead({ ...head, size }));
  } catch (error) {
    // Parts that cannot be removed are left to the sweep. The caller gets the first failure.
    await removeParts(storage, head.upload, count).catch(() => {});
    throw error;
  }
}

/** The bytes of a blob, a part at a time. */
async function* readParts(storage: UnstorageLike, { upload, size }: Head, range: ByteRange | undefined): ByteStream {
  const { start, length } = span(size, range);
  const end = start + length;
  for (let at = start; at < end;) {
    const index = Math.floor(at / partSize);
    const part = await read(storage, partOf(upload, index));
    if (part === null || part.byteLength !== Math.min(partSize, size - index * partSize)) {
      throw new TelexError("storage_unavailable", {
        cause: new Error(`Part ${index} of a blob is missing or damaged.`),
      });
    }
    const chunk = copyOf(part.subarray(at - index * partSize, Math.min(partSize, end - index * partSize)));
    yield chunk;
    at += chunk.byteLength;
  }
}

async function* list(storage: UnstorageLike): AsyncGenerator<BlobEntry & { readonly upload: string }> {
  for (const key of await storage.getKeys(heads)) {
    const blobId = key.slice(heads.length + 1);
    const head = isBlobId(blobId) ? await readHead(storage, blobId) : null;
    if (head !== null) yield { blobId, ...head };
  }
}

async function* entries(storage: UnstorageLike): AsyncGenerator<BlobEntry> {
  for await (const { blobId, size, createdAt } of list(storage)) yield { blobId, size, createdAt };
}

/** Turns the errors of a driver into those of a store. */
function guarded(storage: UnstorageLike): UnstorageLike {
  const unavailable = (cause: unknown): never => {
    throw new TelexError("storage_unavailable", { cause });
  };
  return {
    setItemRaw: async (key, value) => await storage.setItemRaw(key, value).catch(unavailable),
    hasItem: async (key) => await storage.hasItem(key).catch(unavailable),
    getItemRaw: async (key) =>
      await storage.getItemRaw(key).catch(async (error: unknown) => {
        const isThere = await storage.hasItem(key).catch(unavailable);
        return isThere ? unavailable(error) : null;
      }),
    removeItem: async (key) => await storage.removeItem(key).catch(unavailable),
    getKeys: async (base) => await storage.getKeys(base).catch(unavailable),
  };
}

/** Removes parts of old uploads that no head names. */
async function sweep(storage: UnstorageLike, before: number, active: ReadonlySet<string>): Promise<number> {
  const old = Map.groupBy(await storage.getKeys(parts), (key) => key.split(":")[1] ?? "");
  for (const upload of old.keys()) if (active.has(upload) || Number(upload.split("-")[0]) >= before) old.delete(upload);
  if (old.size === 0) return 0;
  for (const key of await storage.getKeys(heads)) {
    const bytes = await read(storage, key);
    // The head is listed but has no bytes: another caller deletes it, or the driver hides a failure. The next sweep decides.
    if (bytes === null) return 0;
    old.delete(unpackHead(bytes)?.upload ?? "");
  }
  for (const keys of old.values()) for (const key of keys) await storage.removeItem(key);
  return old.size;
}

/** Stores, reads and removes bytes, because some drivers silently do nothing. */
async function probe(storage: UnstorageLike): Promise<void> {
  const name = `probe:${randomBytes(8).toString("hex")}`;
  const bytes = randomBytes(16);
  await storage.setItemRaw(name, bytes);
  const stored = await read(storage, name);
  const keys = await storage.getKeys("probe");
  await storage.removeItem(name);
  const left = await read(storage, name);
  if (stored !== null && Buffer.compare(stored, bytes) === 0 && keys.includes(name) && left === null) return;
  const message = "This unstorage driver does not store, list or remove what it is given; choose one that does.";
  throw new TelexError("storage_unavailable", { cause: new TypeError(message) });
}

/**
 * Stores blobs with any unstorage driver that stores bytes, lists keys and removes them. A blob is stored in parts of 1 MiB, and its head
 * last, so readers never see an incomplete blob and at most one part is in memory. The driver determines how durable blobs are.
 * Listing reads all heads. A driver that shows writes to other readers only later, such as a network cache, breaks the promises of a store.
 */
export function createUnstorageBlobs(
  driven: UnstorageLike,
  { clock = systemClock }: UnstorageBlobsOptions = {},
): BlobStore {
  const storage = guarded(driven);
  const active = new Set<string>();
  return {
    async put(blobId, bytes) {
      assertBlobId(blobId);
      const createdAt = clock.now();
      const upload = `${createdAt}-${randomBytes(8).toString("hex")}`;
      active.add(upload);
      try {
        await put(storage, blobId, bytes, { upload, createdAt });
      } finally {
        active.delete(upload);
      }
    },
    async open(blobId, range) {
      assertBlobId(blobId);
      const head = await readHead(storage, blobId);
      return head === null ? null : readParts(storage, head, range);
    },
    async delete(blobId) {
      assertBlobId(blobId);
      const head = await readHead(storage, blobId);
      await storage.removeItem(headOf(blobId));
      if (head !== null) await removeParts(storage, head.upload, Math.ceil(head.size / partSize));
    },
    list: () => entries(storage),
    sweepPartial: (before) => sweep(storage, before, active),
    probe: () => probe(storage),
  };
}
