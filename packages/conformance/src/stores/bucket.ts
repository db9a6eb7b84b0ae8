import assert from "node:assert/strict";
import type { BucketStore, FilePut, FileRecord } from "@telex/core/storage";
import { defineCases, type StorageCase } from "../support/case.ts";
import { countOutcomes, expectOutcome, fieldsOf, withOutcome } from "../support/expect.ts";
import { digitsOf, fileOf, now, upload } from "../support/fixtures.ts";

const hour = 3_600_000;
const code = { digest: digitsOf(1, 64), storageId: "default" };
const byCode = { uploader: null, code };

const issue = (store: BucketStore, different: Partial<{ digest: string; expiresAt: number }> = {}): Promise<void> =>
  store.issueCode({ ...code, expiresAt: now + 8 * hour, ...different });

/** An upload with the MD5 of the first file and other bytes. */
const forged = (different: Partial<FilePut> = {}) => upload(1, different, { sha256: digitsOf(99, 64), size: 5 });

const md5sOf = (files: readonly FileRecord[]): string[] => files.map(({ md5 }) => md5).toSorted();
const md5 = (number: number): string => digitsOf(number, 32);

/** Promises of a storage about upload codes. */
export const codeCases: readonly StorageCase[] = defineCases("bucket codes", {
  "an issued code can be found, and is not used": async ({ storage, reopen }) => {
    assert.equal(await storage.bucket.findCode(code.digest), null);
    await issue(storage.bucket);
    const { bucket } = await reopen();
    assert.deepEqual(await bucket.findCode(code.digest), { ...code, expiresAt: now + 8 * hour, used: false });
  },

  "a code is spent by the upload that is stored": async ({ storage, reopen }) => {
    await issue(storage.bucket);
    expectOutcome(await storage.bucket.putFile(upload(1, byCode)), "stored");
    const { bucket } = await reopen();
    assert.equal((await bucket.findCode(code.digest))?.used, true);
  },

  "a spent code stores nothing": async ({ storage: { bucket } }) => {
    await issue(bucket);
    await bucket.putFile(upload(1, byCode));
    assert.deepEqual(await bucket.putFile(upload(2, byCode)), { outcome: "code_used" });
    assert.equal(await bucket.findFile(md5(2)), null);
  },

  "a code is spent by an upload of a known file as well": async ({ storage: { bucket } }) => {
    await bucket.putFile(upload(1));
    await issue(bucket);
    expectOutcome(await bucket.putFile(upload(1, byCode)), "known");
    assert.deepEqual(await bucket.putFile(upload(1, byCode)), { outcome: "code_used" });
  },

  "an unknown code stores nothing": async ({ storage: { bucket } }) => {
    assert.deepEqual(await bucket.putFile(upload(1, byCode)), { outcome: "code_missing" });
    assert.equal(await bucket.findFile(md5(1)), null);
  },

  "a code of another storage stores nothing, and is not spent": async ({ storage: { bucket } }) => {
    await issue(bucket);
    const foreign = upload(1, { uploader: null, code: { ...code, storageId: "another" } });
    assert.deepEqual(await bucket.putFile(foreign), { outcome: "code_missing" });
    assert.deepEqual([await bucket.findFile(md5(1)), (await bucket.findCode(code.digest))?.used], [null, false]);
  },

  "an expired code stores nothing": async ({ storage: { bucket } }) => {
    await issue(bucket, { expiresAt: now + hour });
    assert.deepEqual(await bucket.putFile(upload(1, { ...byCode, now: now + hour })), { outcome: "code_expired" });
    assert.equal(await bucket.findFile(md5(1)), null);
    expectOutcome(await bucket.putFile(upload(1, { ...byCode, now: now + hour - 1 })), "stored");
  },

  "a conflict leaves the code usable": async ({ storage: { bucket } }) => {
    await bucket.putFile(upload(1));
    await issue(bucket);
    assert.deepEqual(await bucket.putFile(forged(byCode)), { outcome: "conflict" });
    expectOutcome(await bucket.putFile(upload(2, byCode)), "stored");
  },

  "of 20 uploads with one code exactly one succeeds": async ({ storage, race }) => {
    await issue(storage.bucket);
    const puts = await race(20, ({ bucket }, caller) => bucket.putFile(upload(caller + 1, byCode)));
    assert.deepEqual(countOutcomes(puts), { stored: 1, code_used: 19 });
    assert.equal((await storage.bucket.listFiles({ after: "", limit: 20 })).length, 1);
  },

  "of 20 uploads of the same file with one code exactly one succeeds": async ({ storage, race }) => {
    await storage.bucket.putFile(upload(1));
    await issue(storage.bucket);
    const puts = await race(20, ({ bucket }) => bucket.putFile(upload(1, byCode)));
    assert.deepEqual(countOutcomes(puts), { known: 1, code_used: 19 });
  },

  "expired codes are taken away, used or not": async ({ storage: { bucket } }) => {
    const digests = [1, 2, 3, 4].map((number) => digitsOf(number, 64));
    await Promise.all(digests.map((digest, index) => issue(bucket, { digest, expiresAt: now + index * hour })));
    await bucket.putFile(upload(1, { ...byCode, code: { ...code, digest: digits(digests, 1) } }));
    assert.equal(await bucket.takeExpiredCodes(now + hour + 1), 2);
    assert.equal(await bucket.takeExpiredCodes(now + hour + 1), 0);
    const found = await Promise.all(digests.map((digest) => bucket.findCode(digest)));
    assert.deepEqual(
      found.map((record) => record !== null),
      [false, false, true, true],
    );
  },
});

const digits = (list: readonly string[], index: number): string => list[index] ?? "";

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

  "each file is listed as it is found, and none that was taken": async ({ storage: { bucket } }) => {
    for (const number of [1, 2, 3]) await bucket.putFile(upload(number));
    await Promise.all([bucket.keepFile(md5(2)), bucket.takeFile(md5(3))]);
    const found = [await bucket.findFile(md5(1)), await bucket.findFile(md5(2))];
    assert.deepEqual(await bucket.listFiles({ after: "", limit: 10 }), found);
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
    assert.deepEqual(await later.findUploads(7, [md5(1)]), [await later.findFile(md5(1))]);
  },

  "the uploads of a user are listed in pages, the newest first": async ({ storage, reopen }) => {
    const { bucket } = storage;
    for (const number of [1, 2, 3, 4]) await bucket.putFile(upload(number, { now: now + number }));
    await bucket.putFile(upload(5, { now: now + 4 }));
    await bucket.putFile(upload(6, { uploader: 8, now: now + 9 }));
    await bucket.putFile(upload(1, { now: now + 10 }));
    await bucket.takeFile(md5(3));
    const { bucket: later } = await reopen();
    const [first, second] = await later.listUploads({ userId: 7, after: null, limit: 2 });
    assert.deepEqual([first, second], [await later.findFile(md5(5)), await later.findFile(md5(4))]);
    const [third, fourth, ...others] = await later.listUploads({ userId: 7, after: second ?? null, limit: 9 });
    assert.deepEqual([third, fourth], [await later.findFile(md5(2)), await later.findFile(md5(1))]);
    assert.deepEqual(others, []);
    assert.deepEqual(await later.listUploads({ userId: 7, after: fourth ?? null, limit: 9 }), []);
    assert.deepEqual(md5sOf(await later.listUploads({ userId: 8, after: null, limit: 9 })), [md5(6)]);
    assert.deepEqual(await later.listUploads({ userId: 9, after: null, limit: 9 }), []);
  },

  "blobs that a file names are told from orphans": async ({ storage: { bucket } }) => {
    for (const number of [1, 2]) await bucket.putFile(upload(number));
    const blobIds = [1, 2, 3].map((number) => fileOf(number).blobId);
    assert.deepEqual(await bucket.findBlobs(blobIds), new Set(blobIds.slice(0, 2)));
    assert.deepEqual(await bucket.findBlobs([]), new Set());
  },
});
