import { expect, test } from "vitest";
import { blobId, chunks, collect, namesIn, textOf } from "../test/support.ts";
import { createMemoryBlobs } from "./memory.ts";

test("blobs are dated by the given clock", async () => {
  const blobs = createMemoryBlobs({ clock: { now: () => 42, after: () => () => {} } });
  await blobs.put(blobId(1), chunks("a", "b"));
  expect(await collect(blobs.list())).toEqual([{ blobId: blobId(1), size: 2, createdAt: 42 }]);
});

test("a blob that does not fit is refused and takes no space; a removed one frees its space", async () => {
  const blobs = createMemoryBlobs({ capacity: 10 });
  await blobs.put(blobId(1), chunks("123456"));
  await expect(blobs.put(blobId(2), chunks("1234", "5"))).rejects.toMatchObject({ code: "storage_full" });
  expect(await namesIn(blobs)).toEqual([blobId(1)]);
  await blobs.put(blobId(2), chunks("1234"));
  await expect(blobs.probe()).rejects.toMatchObject({ code: "storage_full" });
  await blobs.delete(blobId(1));
  await blobs.probe();
  await blobs.put(blobId(3), chunks("123456"));
});

test("a blob that replaces another one uses its space", async () => {
  const blobs = createMemoryBlobs({ capacity: 10 });
  await blobs.put(blobId(1), chunks("12345"));
  for (let round = 0; round < 5; round += 1) await blobs.put(blobId(1), chunks("54321"));
  expect(await textOf(blobs, blobId(1))).toBe("54321");
});

test("later changes of the bytes do not affect a stored blob", async () => {
  const blobs = createMemoryBlobs();
  const reused = Buffer.alloc(1);
  async function* letters() {
    for (const letter of "kept") {
      reused.write(letter);
      yield reused;
    }
  }
  await blobs.put(blobId(1), letters());
  for await (const chunk of (await blobs.open(blobId(1))) ?? []) chunk.fill(0);
  expect(await textOf(blobs, blobId(1))).toBe("kept");
});
