import assert from "node:assert/strict";
import type { BlobEntry, BlobStore, ByteRange, ByteStream } from "@telex/core/storage";
import { nextTick } from "@telex/core/transport";
import { digitsOf } from "./support/fixtures.ts";
import { bytesOf, collect, measuredStream, streamOf } from "./support/streams.ts";

const mebibyte = 2 ** 20;

/** A blob store to be tried, and what it can do besides. */
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

/** One promise of `BlobStore`, and how it is tried. */
export interface BlobCase {
  /** `blobs:` and a sentence. */
  readonly name: string;
  /** Rejects when the store breaks the promise. */
  readonly run: (subject: BlobSubject) => Promise<void>;
}

const blob = digitsOf(1, 32);
const pictureBlob = `${digitsOf(2, 32)}.128`;

async function read(blobs: BlobStore, blobId: string, range?: ByteRange): Promise<Buffer | null> {
  const stream = await blobs.open(blobId, range);
  return stream === null ? null : collect(stream);
}

async function listAll(blobs: BlobStore): Promise<BlobEntry[]> {
  const entries: BlobEntry[] = [];
  for await (const entry of blobs.list()) entries.push(entry);
  return entries.toSorted((a, b) => (a.blobId < b.blobId ? -1 : 1));
}

const namesOf = async (blobs: BlobStore): Promise<string[]> => (await listAll(blobs)).map(({ blobId }) => blobId);

/** True for a blob that can be opened. The reader stops before the first byte. */
async function exists(blobs: BlobStore, blobId: string): Promise<boolean> {
  const stream = await blobs.open(blobId);
  await stream?.[Symbol.asyncIterator]().return?.();
  return stream !== null;
}

async function expectNothing(blobs: BlobStore, blobId = blob): Promise<void> {
  assert.equal(await exists(blobs, blobId), false);
  assert.deepEqual(await namesOf(blobs), []);
}

async function* brokenStream(bytes: Uint8Array, error: Error): ByteStream {
  yield* streamOf(bytes);
  throw error;
}

const refusedNames = [
  "",
  ".",
  "..",
  `../${blob}`,
  `/${blob}`,
  `${blob}/`,
  `ab/${blob}`,
  blob.slice(1),
  `${blob}0`,
  digitsOf(0xabc, 32).toUpperCase(),
  `${blob}.`,
  `${blob}./x`,
  `${blob}.a.b`,
  `${blob}.jp g`,
  `${blob}\n`,
  `${blob}\u0000`,
  "z".repeat(32),
];

const bodies: Readonly<Record<string, (subject: BlobSubject) => Promise<void>>> = {
  "what was put comes back": async ({ blobs }) => {
    const bytes = bytesOf(1, 300_000);
    await blobs.put(blob, streamOf(bytes));
    assert.ok((await read(blobs, blob))?.equals(bytes), "other bytes came back");
  },

  "a blob may be empty": async ({ blobs }) => {
    await blobs.put(blob, streamOf(Buffer.alloc(0)));
    assert.equal((await read(blobs, blob))?.byteLength, 0);
    assert.equal((await listAll(blobs))[0]?.size, 0);
  },

  "a range has both its ends": async ({ blobs }) => {
    const bytes = bytesOf(2, 200_000);
    await blobs.put(blob, streamOf(bytes));
    const last = bytes.byteLength - 1;
    for (const [start, end] of [
      [0, 0],
      [0, last],
      [last, last],
      [7, 8],
      [65_535, 65_536],
      [100, 150_000],
    ] as const) {
      const part = await read(blobs, blob, { start, end });
      assert.ok(part?.equals(bytes.subarray(start, end + 1)), `the bytes from ${start} to ${end} are wrong`);
    }
  },

  "a name may have a suffix": async ({ blobs }) => {
    await blobs.put(blob, streamOf(Buffer.from("without")));
    await blobs.put(`${blob}.128`, streamOf(Buffer.from("with")));
    assert.equal(String(await read(blobs, blob)), "without");
    assert.equal(String(await read(blobs, `${blob}.128`)), "with");
    await blobs.delete(blob);
    assert.equal(String(await read(blobs, `${blob}.128`)), "with");
  },

  "what is not there is null, and can be deleted": async ({ blobs }) => {
    assert.equal(await blobs.open(blob), null);
    assert.equal(await blobs.open(blob, { start: 0, end: 1 }), null);
    await blobs.delete(blob);
    await expectNothing(blobs);
  },

  "what is deleted is gone": async ({ blobs }) => {
    await blobs.put(blob, streamOf(bytesOf(3, 1000)));
    await blobs.put(pictureBlob, streamOf(bytesOf(4, 1000)));
    await blobs.delete(blob);
    assert.equal(await exists(blobs, blob), false);
    assert.deepEqual(await namesOf(blobs), [pictureBlob]);
    await blobs.delete(pictureBlob);
    await expectNothing(blobs);
  },

  "every blob is listed with its size and its time": async ({ blobs }) => {
    const sizes = [0, 1, 70_000];
    const names = sizes.map((_, index) => digitsOf(index * 0x1000, 32));
    for (const [index, size] of sizes.entries()) await blobs.put(names[index] ?? "", streamOf(bytesOf(index, size)));
    const entries = await listAll(blobs);
    assert.deepEqual(
      entries.map(({ blobId, size }) => [blobId, size]),
      names.map((name, index) => [name, sizes[index]]),
    );
    for (const { createdAt } of entries) assert.ok(createdAt > 0, "a blob has no time");
  },

  "a broken stream leaves nothing, and its error is the answer": async ({ blobs }) => {
    const error = new Error("the sender went away");
    await assert.rejects(blobs.put(blob, brokenStream(bytesOf(5, 150_000), error)), (thrown) => thrown === error);
    await expectNothing(blobs);
    const bytes = bytesOf(6, 1000);
    await blobs.put(blob, streamOf(bytes));
    assert.ok((await read(blobs, blob))?.equals(bytes), "a repeat after a broken stream went wrong");
  },

  "a stream that breaks immediately leaves nothing": async ({ blobs }) => {
    const error = new Error("the sender never came");
    await assert.rejects(blobs.put(blob, brokenStream(Buffer.alloc(0), error)), (thrown) => thrown === error);
    await expectNothing(blobs);
  },

  "nobody sees a part of a blob while it is written": async ({ blobs }) => {
    const bytes = bytesOf(7, 400_000);
    let looks = 0;
    async function* watched(): ByteStream {
      for await (const chunk of streamOf(bytes)) {
        yield chunk;
        await expectNothing(blobs);
        looks += 1;
      }
    }
    await blobs.put(blob, watched());
    assert.ok(looks > 2, "the stream was not read in chunks");
    assert.ok((await read(blobs, blob))?.equals(bytes), "other bytes came back");
  },

  "many blobs are put simultaneously": async ({ blobs }) => {
    const names = Array.from({ length: 20 }, (_, index) => digitsOf(index * 0x777, 32));
    await Promise.all(names.map((name, index) => blobs.put(name, streamOf(bytesOf(index, 50_000), index))));
    assert.deepEqual(await namesOf(blobs), names.toSorted());
    for (const [index, name] of names.entries()) {
      assert.ok((await read(blobs, name))?.equals(bytesOf(index, 50_000)), `the bytes of ${name} are mixed up`);
    }
  },

  "many readers read simultaneously": async ({ blobs }) => {
    const bytes = bytesOf(8, 300_000);
    await blobs.put(blob, streamOf(bytes));
    const ranges = Array.from({ length: 20 }, (_, index) => ({ start: index * 10_000, end: index * 10_000 + 99_999 }));
    const parts = await Promise.all(ranges.map((range) => read(blobs, blob, range)));
    for (const [index, { start, end }] of ranges.entries()) {
      assert.ok(parts[index]?.equals(bytes.subarray(start, end + 1)), `the bytes from ${start} to ${end} are wrong`);
    }
  },

  "readers that stop early, or before they begin, disturb nobody": async ({ blobs }) => {
    const bytes = bytesOf(9, 600_000);
    await blobs.put(blob, streamOf(bytes));
    for (let reader = 0; reader < 100; reader += 1) {
      const stream = await blobs.open(blob);
      for await (const chunk of stream ?? []) if (chunk.byteLength > 0) break;
      assert.equal(await exists(blobs, blob), true);
    }
    assert.ok((await read(blobs, blob))?.equals(bytes), "other bytes came back");
    await blobs.delete(blob);
    await expectNothing(blobs);
  },

  "a reader gets chunks of its own": async ({ blobs }) => {
    const bytes = bytesOf(10, 5000);
    await blobs.put(blob, streamOf(bytes));
    for await (const chunk of (await blobs.open(blob)) ?? []) chunk.fill(0);
    assert.ok((await read(blobs, blob))?.equals(bytes), "a reader could change the blob");
  },

  "other names are refused by every verb": async ({ blobs }) => {
    let asked = false;
    async function* untouched(): ByteStream {
      asked = true;
      yield Buffer.from("bytes");
    }
    for (const name of refusedNames) {
      const calls = [() => blobs.put(name, untouched()), () => blobs.open(name), () => blobs.delete(name)];
      for (const call of calls) {
        await assert.rejects(async () => call(), TypeError, `${JSON.stringify(name)} was taken for a name`);
      }
    }
    assert.equal(asked, false, "bytes were read for a name that is refused");
    await expectNothing(blobs);
  },

  "a sweep takes no blob, and nothing that is being put": async ({ blobs }) => {
    const far = Date.now() + 1e9;
    await blobs.put(pictureBlob, streamOf(bytesOf(11, 1000)));
    const bytes = bytesOf(12, 200_000);
    async function* swept(): ByteStream {
      for await (const chunk of streamOf(bytes)) {
        yield chunk;
        await blobs.sweepPartial(far);
      }
    }
    await blobs.put(blob, swept());
    await assert.rejects(blobs.put(digitsOf(3, 32), brokenStream(bytes, new Error("broken"))));
    await blobs.sweepPartial(far);
    assert.equal(await blobs.sweepPartial(far), 0);
    assert.ok((await read(blobs, blob))?.equals(bytes), "a sweep took bytes of a blob that is being put");
    assert.deepEqual(await namesOf(blobs), [blob, pictureBlob]);
  },

  "memory does not grow with the size": async ({ blobs, largest }) => {
    const size = Math.min(largest ?? 64 * mebibyte, 64 * mebibyte);
    const { stream, peak } = measuredStream(size);
    await blobs.put(blob, stream);
    assert.equal((await listAll(blobs))[0]?.size, size);
    const held = Math.round(peak() / mebibyte);
    assert.ok(largest !== undefined || held <= 16, `${held} MiB were held of a blob of ${size / mebibyte} MiB`);
    let length = 0;
    for await (const chunk of (await blobs.open(blob)) ?? []) length += chunk.byteLength;
    assert.equal(length, size);
  },

  "blobs survive a restart": async ({ blobs, reopen }) => {
    const bytes = bytesOf(13, 100_000);
    await blobs.put(blob, streamOf(bytes));
    await blobs.put(pictureBlob, streamOf(bytes));
    await blobs.delete(pictureBlob);
    const again = (await reopen?.()) ?? blobs;
    assert.ok((await read(again, blob))?.equals(bytes), "other bytes came back after a restart");
    assert.deepEqual(await namesOf(again), [blob]);
  },

  "a blob that is deleted while others read and write is gone in the end": async ({ blobs }) => {
    await blobs.put(blob, streamOf(bytesOf(14, 100_000)));
    const reads = Array.from({ length: 5 }, async () => {
      await nextTick();
      await read(blobs, blob).catch(() => null);
    });
    await Promise.all([...reads, blobs.delete(blob), blobs.put(pictureBlob, streamOf(bytesOf(15, 1000)))]);
    assert.deepEqual(await namesOf(blobs), [pictureBlob]);
  },

  "a store that can take a blob says so": async ({ blobs }) => {
    await blobs.probe();
    await expectNothing(blobs);
  },
};

/** Every promise of `BlobStore`. */
export const blobCases: readonly BlobCase[] = Object.entries(bodies).map(([sentence, run]) => ({
  name: `blobs: ${sentence}`,
  run,
}));
