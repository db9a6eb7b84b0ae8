import { randomBytes } from "node:crypto";
import { type Clock, systemClock, TelexError } from "@telex/core";
import type { BlobEntry, BlobStore, ByteRange, ByteStream } from "@telex/core/storage";
import { assertBlobId, isBlobId } from "./names.ts";
import { copyOf, span } from "./range.ts";

/** What is used of an unstorage `Storage`: `createStorage({driver})`, or `prefixStorage(storage, "blobs")`. */
export interface UnstorageLike {
  /** Keeps bytes under a key. */
  setItemRaw(key: string, value: Uint8Array): Promise<void>;
  /** True if there is this key. Asked only if reading fails: some drivers fail for a key that is not there. */
  hasItem(key: string): Promise<boolean>;
  /** The bytes under a key, or null. */
  getItemRaw(key: string): Promise<unknown>;
  /** Removes a key. */
  removeItem(key: string): Promise<void>;
  /** The keys that begin with this base; without it all keys. */
  getKeys(base?: string): Promise<string[]>;
}

/** How {@link createUnstorageBlobs} works. */
export interface UnstorageBlobsOptions {
  /** Dates blobs. Default: the machine's. */
  readonly clock?: Clock;
}

/** Bytes of a part: what an upload keeps in memory, and a size that every driver takes. */
const partSize = 2 ** 20;

/** A head says that a blob is complete. Parts are stored before it, and removed after it. */
const heads = "heads";
const parts = "parts";
const headOf = (blobId: string): string => `${heads}:${blobId}`;
const partOf = (upload: string, index: number): string => `${parts}:${upload}:${index}`;

/** What a head holds. */
interface Head {
  /** The name under which the parts are: when the upload began, and something random. */
  readonly upload: string;
  /** Bytes. */
  readonly size: number;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

/** Ends a head, so that a driver that wrote only a part of it is noticed. */
const headEnd = "whole";

const packHead = ({ upload, size, createdAt }: Head): Uint8Array =>
  new TextEncoder().encode([upload, size, createdAt, headEnd].join(" "));

/** The head in these bytes, or null if a broken-off write left them. */
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

/** Cuts a stream into parts. Each has a buffer of its own, because a driver may keep it. */
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

/** Stores the parts, and then the head, with which the blob is there. */
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
    // What cannot be removed now is left to the sweep: the failure that led here is the one to tell.
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

/** A driver fails in a way of its own: here, its failures are those of a store. */
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

/** Removes the parts that no head names, of uploads that began long ago. */
async function sweep(storage: UnstorageLike, before: number, active: ReadonlySet<string>): Promise<number> {
  const old = Map.groupBy(await storage.getKeys(parts), (key) => key.split(":")[1] ?? "");
  for (const upload of old.keys()) if (active.has(upload) || Number(upload.split("-")[0]) >= before) old.delete(upload);
  if (old.size === 0) return 0;
  for (const key of await storage.getKeys(heads)) {
    const bytes = await read(storage, key);
    // Listed, but not found: somebody deletes it, or the driver reports a failure in this way. Parts that are removed do not come back.
    if (bytes === null) return 0;
    old.delete(unpackHead(bytes)?.upload ?? "");
  }
  for (const keys of old.values()) for (const key of keys) await storage.removeItem(key);
  return old.size;
}

/** Stores bytes, finds them and removes them again: some drivers do nothing, and say nothing about it. */
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
 * Blobs over any unstorage driver that stores bytes, lists keys and removes them. A blob is stored in parts of 1 MiB, and is there when its
 * head is, which is stored last: so nobody sees a part of it, and at most one part is in memory. It is as durable as the driver makes it.
 * Listing reads all heads. A driver that shows a write to other readers only later, as caches of a network do, breaks the promises of a store.
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
