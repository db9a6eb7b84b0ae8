import assert from "node:assert/strict";
import type { ByteStream } from "@telex/core/storage";
import { nextTick } from "@telex/core/transport";
import { digitsOf } from "../support/fixtures.ts";
import { bytesOf, measuredStream, streamOf } from "../support/streams.ts";
import {
  mebibyte,
  type BlobCase,
  blob,
  pictureBlob,
  read,
  listAll,
  namesOf,
  exists,
  expectNothing,
  brokenStream,
  defineBlobCases,
} from "./blob-kit.ts";

/** A time at which everything unfinished is swept. */
const far = Date.now() + 1e9;

/** Promises about writing and deleting blobs. */
export const putCases: readonly BlobCase[] = defineBlobCases({
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

  "a sweep takes no blob, and nothing that is being put": async ({ blobs }) => {
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
});
