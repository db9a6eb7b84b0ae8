import assert from "node:assert/strict";
import type { BlobEntry, BlobStore, ByteRange, ByteStream } from "@telex/core/storage";
import { digitsOf } from "../support/fixtures.ts";
import { collect, streamOf } from "../support/streams.ts";

export const mebibyte = 2 ** 20;

/** A blob store to test, and its optional abilities. */
export interface BlobSubject {
  /** Empty. */
  readonly blobs: BlobStore;
  /** Opens the same blobs again, as after a restart. */
  readonly reopen?: () => Promise<BlobStore>;
  /**
   * Bytes of the largest blob, for a store of small blobs only, which pass through memory whole: its use of memory is not
   * measured. A store without it takes 64 MiB, and keeps no more than 16 MiB of them in memory.
   */
  readonly largest?: number;
  /** Closes and removes everything. */
  destroy(): Promise<void>;
}

/** One promise of `BlobStore`, and its test. */
export interface BlobCase {
  /** `blobs:` and a sentence. */
  readonly name: string;
  /** Rejects when the store breaks the promise. */
  readonly run: (subject: BlobSubject) => Promise<void>;
}

export const blob = digitsOf(1, 32);

export const pictureBlob = `${digitsOf(2, 32)}.128`;

export async function read(blobs: BlobStore, blobId: string, range?: ByteRange): Promise<Buffer | null> {
  const stream = await blobs.open(blobId, range);
  return stream === null ? null : collect(stream);
}

export async function listAll(blobs: BlobStore): Promise<BlobEntry[]> {
  const entries: BlobEntry[] = [];
  for await (const entry of blobs.list()) entries.push(entry);
  return entries.toSorted((a, b) => (a.blobId < b.blobId ? -1 : 1));
}

export const namesOf = async (blobs: BlobStore): Promise<string[]> =>
  (await listAll(blobs)).map(({ blobId }) => blobId);

/** True for a blob that can be opened. The reader stops before the first byte. */
export async function exists(blobs: BlobStore, blobId: string): Promise<boolean> {
  const stream = await blobs.open(blobId);
  await stream?.[Symbol.asyncIterator]().return?.();
  return stream !== null;
}

export async function expectNothing(blobs: BlobStore, blobId = blob): Promise<void> {
  assert.equal(await exists(blobs, blobId), false);
  assert.deepEqual(await namesOf(blobs), []);
}

export async function* brokenStream(bytes: Uint8Array, error: Error): ByteStream {
  yield* streamOf(bytes);
  throw error;
}

/** Names each case after its sentence. */
export const defineBlobCases = (
  bodies: Readonly<Record<string, (subject: BlobSubject) => Promise<void>>>,
): readonly BlobCase[] => Object.entries(bodies).map(([sentence, run]) => ({ name: `blobs: ${sentence}`, run }));
