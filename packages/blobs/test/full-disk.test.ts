import { expect, test } from "vitest";
import { createBlobsOn } from "../src/fs-store.ts";
import { blobId, filesUnder, manyChunks, mountingWorks, namesIn, readAll, smallDisk } from "./support.ts";

const mib = 2 ** 20;
// If this machine does not allow us to mount a disk, the disk is simulated. The names of the tests say which it was.
const kind = (await mountingWorks()) ? "mounted" : "played";

test(`on a full disk (${kind}) nothing is stored, reads continue, and free space restores writes without a restart`, async () => {
  const { directory, fs } = await smallDisk(kind);
  const blobs = createBlobsOn(fs, { directory, floor: mib });
  await blobs.put(blobId(1), manyChunks(8, mib / 8));
  const before = await filesUnder(directory);

  await expect(blobs.put(blobId(2), manyChunks(3, mib))).rejects.toMatchObject({ code: "storage_full" });
  expect(await filesUnder(directory)).toEqual(before);
  expect(await blobs.open(blobId(2))).toBeNull();
  expect(await readAll(await blobs.open(blobId(1)))).toHaveLength(mib);

  await blobs.delete(blobId(1));
  await blobs.put(blobId(2), manyChunks(8, mib / 8));
  expect(await namesIn(blobs)).toEqual([blobId(2)]);
});

test(`a read-only disk (${kind}) counts as full: nothing changes, reads continue`, async () => {
  const { directory, fs, protect } = await smallDisk(kind);
  const blobs = createBlobsOn(fs, { directory, floor: 0 });
  await blobs.put(blobId(1), manyChunks(1, 10));
  protect();
  const full = { code: "storage_full" };
  await expect(blobs.put(blobId(1), manyChunks(1, 20))).rejects.toMatchObject(full);
  await expect(blobs.delete(blobId(1))).rejects.toMatchObject(full);
  await expect(blobs.probe()).rejects.toMatchObject(full);
  expect(await readAll(await blobs.open(blobId(1)))).toHaveLength(10);
});
