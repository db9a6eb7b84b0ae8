import assert from "node:assert/strict";
import type { ByteStream } from "@telex/core/storage";
import { digitsOf } from "../support/fixtures.ts";
import { bytesOf, streamOf } from "../support/streams.ts";
import { type BlobCase, blob, read, namesOf, expectNothing, brokenStream, defineBlobCases } from "./blob-kit.ts";

/** Promises about blobs while their bytes arrive. */
export const streamCases: readonly BlobCase[] = defineBlobCases({
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

  "no reader sees a part of a blob while it is written": async ({ blobs }) => {
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
    for (const [index, name] of names.entries())
      assert.ok((await read(blobs, name))?.equals(bytesOf(index, 50_000)), `the bytes of ${name} are mixed up`);
  },
});
