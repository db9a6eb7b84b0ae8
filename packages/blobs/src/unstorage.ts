import { type Clock, systemClock, TelexError } from "@telex/core";
import type { BlobEntry, BlobStore, ByteStream } from "@telex/core/storage";
import { assertBlobId, isBlobId } from "./names.ts";
import { copyOf, sliced } from "./range.ts";

/** What is used of an unstorage `Storage`: `createStorage({driver})`, or `prefixStorage(storage, "blobs")`. */
export interface UnstorageLike {
  /** Keeps bytes under a key. */
  setItemRaw(key: string, value: Uint8Array): Promise<void>;
  /** The bytes under a key, or null. */
  getItemRaw(key: string): Promise<unknown>;
  /** Removes a key. */
  removeItem(key: string): Promise<void>;
  /** All keys. */
  getKeys(): Promise<string[]>;
}

/** How {@link createUnstorageBlobs} works. */
export interface UnstorageBlobsOptions {
  /** Bytes of one blob; more is `too_large`. Default 8 MiB. */
  readonly maxSize?: number;
  /** Dates blobs. Default: the machine's. */
  readonly clock?: Clock;
}

/** Before the bytes of every value: when they came and how many they are, so that a torn write is seen. */
const headerSize = 16;

interface Item {
  readonly bytes: Uint8Array;
  readonly createdAt: number;
  /** False for what a broken-off write left. */
  readonly whole: boolean;
}

function pack(chunks: readonly Uint8Array[], size: number, createdAt: number): Uint8Array {
  const header = Buffer.alloc(headerSize);
  header.writeDoubleBE(createdAt, 0);
  header.writeDoubleBE(size, 8);
  return Buffer.concat([header, ...chunks]);
}

function unpack(value: unknown): Item | null {
  if (value === null || value === undefined) return null;
  if (!(value instanceof Uint8Array || value instanceof ArrayBuffer)) {
    throw new TypeError("This unstorage driver does not give bytes back as bytes; choose one that does.");
  }
  const packed =
    value instanceof ArrayBuffer ? Buffer.from(value) : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (packed.byteLength < headerSize) return null;
  const bytes = packed.subarray(headerSize);
  return { bytes, createdAt: packed.readDoubleBE(0), whole: bytes.byteLength === packed.readDoubleBE(8) };
}

async function collect(stream: ByteStream, max: number): Promise<{ chunks: readonly Uint8Array[]; size: number }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.byteLength;
    if (size > max) throw new TelexError("too_large", { params: { max } });
    chunks.push(copyOf(chunk));
  }
  return { chunks, size };
}

async function* items(storage: UnstorageLike): AsyncGenerator<Item & { readonly blobId: string }> {
  for (const blobId of (await storage.getKeys()).filter(isBlobId)) {
    const item = unpack(await storage.getItemRaw(blobId));
    if (item !== null) yield { blobId, ...item };
  }
}

async function* listWhole(storage: UnstorageLike): AsyncGenerator<BlobEntry> {
  for await (const { blobId, bytes, createdAt, whole } of items(storage)) {
    if (whole) yield { blobId, size: bytes.byteLength, createdAt };
  }
}

async function sweepTorn(storage: UnstorageLike, before: number): Promise<number> {
  let swept = 0;
  for await (const { blobId, createdAt, whole } of items(storage)) {
    if (whole || createdAt >= before) continue;
    await storage.removeItem(blobId);
    swept += 1;
  }
  return swept;
}

/**
 * Small blobs over any unstorage driver. Every blob passes through memory whole, listing reads them all, and a blob is as
 * durable as the driver makes it. A driver that writes in pieces does no harm: a torn blob counts as none.
 */
export function createUnstorageBlobs(
  storage: UnstorageLike,
  { maxSize = 8 * 2 ** 20, clock = systemClock }: UnstorageBlobsOptions = {},
): BlobStore {
  return {
    async put(blobId, stream) {
      assertBlobId(blobId);
      const { chunks, size } = await collect(stream, maxSize);
      await storage.setItemRaw(blobId, pack(chunks, size, clock.now()));
    },
    async open(blobId, range) {
      assertBlobId(blobId);
      const item = unpack(await storage.getItemRaw(blobId));
      return item?.whole === true ? sliced(item.bytes, range) : null;
    },
    async delete(blobId) {
      assertBlobId(blobId);
      await storage.removeItem(blobId);
    },
    list: () => listWhole(storage),
    sweepPartial: (before) => sweepTorn(storage, before),
    async probe() {
      await storage.setItemRaw("probe", Buffer.alloc(1));
      await storage.removeItem("probe");
    },
  };
}
