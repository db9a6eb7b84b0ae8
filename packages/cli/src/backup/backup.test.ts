import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFsBlobs } from "@telex/blobs/fs";
import { backupSqlite, createSqliteStorage } from "@telex/storage-sqlite";
import { expect, it, onTestFinished } from "vitest";
import { blobsOf, fill } from "test-support/filled";
import { copyBlobs } from "./copy-blobs.ts";

/** An installation after the copy of its database and before that of its files. */
async function createHalf() {
  const folder = await mkdtemp(join(tmpdir(), "telex-backup-"));
  onTestFinished(async () => await rm(folder, { recursive: true }));
  const storage = await createSqliteStorage({ file: join(folder, "telex.db") });
  onTestFinished(async () => await storage.close());
  const blobs = createFsBlobs({ directory: join(folder, "blobs") });
  await fill(storage, blobs);
  const partial = join(folder, "copy");
  backupSqlite({ file: join(folder, "telex.db"), target: join(partial, "telex.db") });
  const [first] = await storage.records.list("files", { after: null, limit: 1 });
  if (first === undefined) throw new TypeError("There must be files.");
  const copied = createFsBlobs({ directory: join(partial, "blobs") });
  const work = { live: { storage, blobs }, snapshot: join(partial, "telex.db"), to: copied, skipDamaged: false };
  const namedInCopy = async (): Promise<number> => {
    const copy = await createSqliteStorage({ file: join(partial, "telex.db") });
    const count = await copy.records.count("files");
    await copy.close();
    return count;
  };
  return { storage, blobs, first, work, copied, namedInCopy };
}

const silent = (): void => undefined;

it("forgets a file that a sweep took away after the copy of the database", async () => {
  const { storage, blobs, first, work, copied, namedInCopy } = await createHalf();
  await storage.bucket.takeFile(first.md5);
  await blobs.delete(first.blobId);
  expect(await copyBlobs(work, silent)).toMatchObject({ count: 3, damaged: [], swept: 1 });
  expect(await namedInCopy()).toBe(2);
  expect(await blobsOf(copied)).toEqual(await blobsOf(blobs));
});

it("forgets it also where the same file has come again meanwhile", async () => {
  const { storage, blobs, first, work, namedInCopy } = await createHalf();
  await storage.bucket.takeFile(first.md5);
  await blobs.delete(first.blobId);
  const { usedAt: _used, createdAt: _created, unusedUntil: _until, ...file } = first;
  await storage.bucket.putFile({
    file: { ...file, blobId: "f".repeat(32) },
    now: 1,
    unusedUntil: 1,
    uploader: 1,
    name: "",
    kind: "other",
    code: null,
    reserved: null,
  });
  expect(await copyBlobs(work, silent)).toMatchObject({ swept: 1 });
  expect(await namedInCopy()).toBe(2);
});

it("refuses a file that is named and not there, or leaves it out where it is told to", async () => {
  const { blobs, first, work, namedInCopy } = await createHalf();
  await blobs.delete(first.blobId);
  await expect(copyBlobs(work, silent)).rejects.toThrow(`The bytes of file ${first.md5} are missing.`);
  const damaged = [{ md5: first.md5, fault: "missing" }];
  expect(await copyBlobs({ ...work, skipDamaged: true }, silent)).toMatchObject({ damaged, swept: 0 });
  expect(await namedInCopy()).toBe(3);
});
