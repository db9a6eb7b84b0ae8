import { TelexError } from "@telex/core";
import { type BlobEntry, type ByteRange, type ByteStream, isBlobId } from "@telex/core/storage";
import { copyOf, span } from "./range.ts";
import { heads, headOf, type Head, packHead, read, readHead } from "./unstorage-head.ts";
import type { UnstorageLike } from "./unstorage-like.ts";

/** Bytes of a part: the memory that an upload needs, and a size that every driver accepts. */
export const partSize = 2 ** 20;

export const parts = "parts";

const partOf = (upload: string, index: number): string => `${parts}:${upload}:${index}`;

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

export async function removeParts(storage: UnstorageLike, upload: string, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await storage.removeItem(partOf(upload, index));
}

/** Stores the parts, and then the head, which makes the blob visible. */
export async function put(
  storage: UnstorageLike,
  blobId: string,
  bytes: ByteStream,
  head: Omit<Head, "size">,
): Promise<void> {
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
export async function* readParts(
  storage: UnstorageLike,
  { upload, size }: Head,
  range: ByteRange | undefined,
): ByteStream {
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

export async function* entries(storage: UnstorageLike): AsyncGenerator<BlobEntry> {
  for await (const { blobId, size, createdAt } of list(storage)) yield { blobId, size, createdAt };
}
