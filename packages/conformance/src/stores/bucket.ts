import type { FileRecord } from "@telex/core/storage";
import assert from "node:assert/strict";
import { defineCases, type StorageCase } from "../support/case.ts";
import { countOutcomes, fieldsOf, withOutcome } from "../support/expect.ts";
import { digitsOf, fileOf, now, upload } from "../support/fixtures.ts";
import { byCode, issue, forged, md5 } from "./bucket-kit.ts";

const md5sOf = (files: readonly FileRecord[]): string[] => files.map((file) => file.md5).toSorted();

/** Promises of a storage about files. */
export const fileCases: readonly StorageCase[] = defineCases("bucket", {
  "a file is stored as it was given, unused": async ({ storage, reopen }) => {
    const { file } = withOutcome(await storage.bucket.putFile(upload(1)), "stored");
    assert.deepEqual(file, { ...fileOf(1), createdAt: now, usedAt: null });
    const { bucket } = await reopen();
    assert.deepEqual([await bucket.findFile(md5(1)), await bucket.findFile(md5(2))], [file, null]);
  },

  "files are listed by MD5, from any one on": async ({ storage: { bucket } }) => {
    for (const number of [3, 1, 2]) await bucket.putFile(upload(number));
    const list = async (after: string, limit: number) => fieldsOf(await bucket.listFiles({ after, limit }), "md5");
    assert.deepEqual(
      [await list("", 10), await list("", 2)],
      [
        [md5(1), md5(2), md5(3)],
        [md5(1), md5(2)],
      ],
    );
    assert.deepEqual([await list(md5(1), 1), await list(md5(3), 10)], [[md5(2)], []]);
  },

  "a list shows each file as a lookup does, and none that was taken": async ({ storage: { bucket } }) => {
    for (const number of [1, 2, 3]) await bucket.putFile(upload(number));
    await Promise.all([bucket.keepFile(md5(2)), bucket.takeFile(md5(3))]);
    const files = [await bucket.findFile(md5(1)), await bucket.findFile(md5(2))];
    assert.deepEqual(await bucket.listFiles({ after: "", limit: 10 }), files);
  },

  "the same file again keeps its first record": async ({ storage: { bucket } }) => {
    const { file } = withOutcome(await bucket.putFile(upload(1)), "stored");
    const again = upload(1, { now: now + 5 }, { mime: "text/plain", ext: "", blobId: `${md5(1)}.second` });
    assert.deepEqual(await bucket.putFile(again), { outcome: "known", file });
    assert.deepEqual(await bucket.findFile(md5(1)), file);
  },

  "the blob of a file that is known is an orphan": async ({ storage: { bucket } }) => {
    for (const blobId of [fileOf(1).blobId, `${md5(1)}.second`]) await bucket.putFile(upload(1, {}, { blobId }));
    assert.deepEqual(await bucket.findBlobs([`${md5(1)}.second`]), new Set());
  },

  "other bytes with the same MD5 are a conflict, and change nothing": async ({ storage: { bucket } }) => {
    const { file } = withOutcome(await bucket.putFile(upload(1)), "stored");
    assert.deepEqual(await bucket.putFile(forged({ uploader: 8 })), { outcome: "conflict" });
    assert.deepEqual(await bucket.findFile(md5(1)), file);
    assert.deepEqual(await bucket.findUploads(8, [md5(1)]), []);
  },

  "of 20 simultaneous uploads of the same bytes one is stored, and all know the same record": async ({
    storage,
    race,
  }) => {
    const puts = await race(20, ({ bucket }, caller) =>
      bucket.putFile(upload(1, { uploader: caller + 1 }, { blobId: `${md5(1)}.blob${caller}` })),
    );
    assert.deepEqual(countOutcomes(puts), { stored: 1, known: 19 });
    const blobIds = new Set(puts.flatMap((put) => ("file" in put ? [put.file.blobId] : [])));
    assert.deepEqual([...blobIds], [(await storage.bucket.findFile(md5(1)))?.blobId]);
    const uploads = await Promise.all(puts.map((_, caller) => storage.bucket.findUploads(caller + 1, [md5(1)])));
    assert.equal(uploads.flat().length, 20);
  },

  "of 10 simultaneous contents with one MD5 exactly one is stored": async ({ race }) => {
    const puts = await race(10, ({ bucket }, caller) =>
      bucket.putFile(upload(1, {}, { sha256: digitsOf(caller + 1, 64) })),
    );
    assert.deepEqual(countOutcomes(puts), { stored: 1, conflict: 9 });
  },

  "a file is of use to those who uploaded it": async ({ storage, reopen }) => {
    const { bucket } = storage;
    await bucket.putFile(upload(1));
    await bucket.putFile(upload(2));
    await bucket.putFile(upload(2, { uploader: 8 }));
    await bucket.putFile(upload(3, { uploader: 8 }));
    await issue(bucket);
    await bucket.putFile(upload(4, byCode));
    const md5s = [1, 2, 3, 4, 5].map(md5);
    const { bucket: later } = await reopen();
    assert.deepEqual(md5sOf(await later.findUploads(7, md5s)), [md5(1), md5(2)]);
    assert.deepEqual(md5sOf(await later.findUploads(8, md5s)), [md5(2), md5(3)]);
    assert.deepEqual(await later.findUploads(7, []), []);
    assert.deepEqual(await later.findUploads(9, md5s), []);
  },

  "the uploads of a user are listed in pages, the newest first": async ({ storage: { bucket }, reopen }) => {
    for (const number of [1, 2, 3, 4]) await bucket.putFile(upload(number, { now: now + number }));
    await bucket.putFile(upload(5, { now: now + 4 }));
    await bucket.putFile(upload(6, { uploader: 8, now: now + 9 }));
    await bucket.putFile(upload(1, { now: now + 10 }));
    await bucket.takeFile(md5(3));
    const { bucket: later } = await reopen();
    const first = await later.listUploads({ userId: 7, after: null, limit: 2 });
    assert.deepEqual(fieldsOf(first, "md5"), [md5(5), md5(4)]);
    const rest = await later.listUploads({ userId: 7, after: first.at(-1) ?? null, limit: 9 });
    assert.deepEqual(fieldsOf(rest, "md5"), [md5(2), md5(1)]);
    assert.deepEqual(await later.listUploads({ userId: 7, after: rest.at(-1) ?? null, limit: 9 }), []);
    assert.deepEqual(md5sOf(await later.listUploads({ userId: 8, after: null, limit: 9 })), [md5(6)]);
    assert.deepEqual(await later.listUploads({ userId: 9, after: null, limit: 9 }), []);
  },

  "blobs that a file names are distinguished from orphans": async ({ storage: { bucket } }) => {
    for (const number of [1, 2]) await bucket.putFile(upload(number));
    const blobIds = [1, 2, 3].map((number) => fileOf(number).blobId);
    assert.deepEqual(await bucket.findBlobs(blobIds), new Set(blobIds.slice(0, 2)));
    assert.deepEqual(await bucket.findBlobs([]), new Set());
  },
});
