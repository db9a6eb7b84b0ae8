import { randomBytes } from "node:crypto";
import { type Clock, systemClock, TelexError } from "@telex/core";
import { type BlobStore, assertBlobId } from "@telex/core/storage";
import { heads, headOf, unpackHead, read, readHead } from "./unstorage-head.ts";
import type { UnstorageLike } from "./unstorage-like.ts";
import { partSize, parts, removeParts, put, readParts, entries } from "./unstorage-parts.ts";

/** Options of {@link createUnstorageBlobs}. */
export interface UnstorageBlobsOptions {
  /** Dates blobs. Default: the machine's. */
  readonly clock?: Clock;
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
  const message = "This unstorage driver does not store, list or remove blobs correctly. Use one that does.";
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
