import assert from "node:assert/strict";
import { bytesOf, streamOf } from "../support/streams.ts";
import { type BlobCase, blob, read, exists, expectNothing, defineBlobCases } from "./blob-kit.ts";

/** Promises about reading blobs. */
export const readCases: readonly BlobCase[] = defineBlobCases({
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

  "many readers read simultaneously": async ({ blobs }) => {
    const bytes = bytesOf(8, 300_000);
    await blobs.put(blob, streamOf(bytes));
    const ranges = Array.from({ length: 20 }, (_, index) => ({ start: index * 10_000, end: index * 10_000 + 99_999 }));
    const parts = await Promise.all(ranges.map((range) => read(blobs, blob, range)));
    for (const [index, { start, end }] of ranges.entries())
      assert.ok(parts[index]?.equals(bytes.subarray(start, end + 1)), `the bytes from ${start} to ${end} are wrong`);
  },

  "readers that stop early, or before they begin, disturb no other reader": async ({ blobs }) => {
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
});
