import assert from "node:assert/strict";
import type { FileExpiry, FileRecord } from "@telex/core/storage";
import { defineCases, type StorageCase } from "../support/case.ts";
import { fieldsOf } from "../support/expect.ts";
import { digitsOf, fileOf, messageIn, now, upload } from "../support/fixtures.ts";

const hour = 3_600_000;
const never: FileExpiry = { now: 0, imagesBefore: 0, limit: 100 };
const md5sOf = (files: readonly FileRecord[]): string[] => files.map(({ md5 }) => md5).toSorted();
const md5 = (number: number): string => digitsOf(number, 32);

/** Promises of a storage about files past their time. */
export const expiryCases: readonly StorageCase[] = defineCases("bucket expiry", {
  "a file that no message used is taken after its time": async ({ storage: { bucket } }) => {
    await bucket.putFile(upload(1, { now }));
    await bucket.putFile(upload(2, { now: now + hour }));
    await bucket.putFile(upload(3, { now: now + 2 * hour }, { ext: "" }));
    const expiry = { ...never, now: now + hour };
    const taken = await bucket.takeExpiredFiles(expiry);
    assert.deepEqual(taken, [{ ...fileOf(1), createdAt: now, usedAt: null }]);
    assert.deepEqual(await bucket.takeExpiredFiles(expiry), []);
    assert.equal(await bucket.findFile(md5(1)), null);
    assert.deepEqual(md5sOf(await bucket.findUploads(7, [md5(1), md5(2)])), [md5(2)]);
    assert.deepEqual(await bucket.findBlobs([fileOf(1).blobId, fileOf(2).blobId]), new Set([fileOf(2).blobId]));
  },

  "uploading a known file again renews its time": async ({ storage: { bucket } }) => {
    await bucket.putFile(upload(1, { now }));
    await bucket.putFile(upload(1, { now: now + 2 * hour }));
    assert.deepEqual(await bucket.takeExpiredFiles({ ...never, now: now + hour }), []);
    assert.deepEqual(md5sOf(await bucket.takeExpiredFiles({ ...never, now: now + 3 * hour })), [md5(1)]);
  },

  "of several lifetimes of the same file the longest wins": async ({ storage: { bucket } }) => {
    await bucket.putFile(upload(1, { unusedUntil: now + hour }));
    await bucket.putFile(upload(1, { now: now + 1, unusedUntil: now + 24 * hour }));
    await bucket.putFile(upload(1, { now: now + 2, unusedUntil: now + 2 * hour }));
    assert.deepEqual(await bucket.takeExpiredFiles({ ...never, now: now + 24 * hour }), []);
    assert.deepEqual(md5sOf(await bucket.takeExpiredFiles({ ...never, now: now + 24 * hour + 1 })), [md5(1)]);
  },

  "a used file that is not an image is kept permanently": async ({ storage: { bucket, messages } }) => {
    await bucket.putFile(upload(1, {}, { ext: "", mime: "application/pdf" }));
    const attachments = [{ relativePath: "a/b", md5: md5(1), name: "b" }];
    await messages.append(messageIn(1, "file", { files: [md5(1)], attachments }));
    const later = now + 1_000_000 * hour;
    assert.deepEqual(await bucket.takeExpiredFiles({ now: later, imagesBefore: later, limit: 10 }), []);
    assert.deepEqual(await bucket.findAttachment("a/b"), attachments[0]);
  },

  "an image is taken after its last use, with its attachments": async ({ storage: { bucket, messages } }) => {
    await bucket.putFile(upload(1));
    const use = (at: number, relativePath: string) => {
      const files = { files: [md5(1)], attachments: [{ relativePath, md5: md5(1), name: "photo.png" }] };
      return messages.append(messageIn(1, "image", files, { receiveTime: at }));
    };
    await use(now + hour, "first");
    await use(now + 3 * hour, "second");
    const early = { now: now + 9 * hour, imagesBefore: now + 2 * hour, limit: 10 };
    assert.deepEqual(await bucket.takeExpiredFiles(early), []);
    const taken = await bucket.takeExpiredFiles({ ...early, imagesBefore: now + 4 * hour });
    assert.deepEqual(taken, [{ ...fileOf(1), createdAt: now, usedAt: now + 3 * hour }]);
    assert.deepEqual([await bucket.findAttachment("first"), await bucket.findAttachment("second")], [null, null]);
  },

  "no more are taken in one call than asked for": async ({ storage: { bucket } }) => {
    await Promise.all([1, 2, 3, 4, 5].map((number) => bucket.putFile(upload(number))));
    const expiry = { ...never, now: now + 1, limit: 2 };
    const rounds = [];
    for (let round = 0; round < 4; round += 1) rounds.push(await bucket.takeExpiredFiles(expiry));
    assert.deepEqual(fieldsOf(rounds, "length"), [2, 2, 1, 0]);
    assert.deepEqual(md5sOf(rounds.flat()), [1, 2, 3, 4, 5].map(md5));
  },

  "of 10 simultaneous sweeps each file is taken by one": async ({ storage, race }) => {
    await Promise.all(Array.from({ length: 12 }, (_, index) => storage.bucket.putFile(upload(index + 1))));
    const taken = await race(10, ({ bucket }) => bucket.takeExpiredFiles({ ...never, now: now + 1, limit: 3 }));
    const md5s = md5sOf(taken.flat());
    assert.equal(new Set(md5s).size, md5s.length);
    assert.equal(md5s.length, 12);
  },

  "a file is used or swept, never both": async ({ storage, race }) => {
    await Promise.all(Array.from({ length: 8 }, (_, index) => storage.bucket.putFile(upload(index + 1))));
    const results = await race<readonly (FileRecord | null)[]>(9, async ({ bucket, messages }, caller) => {
      if (caller === 4) return bucket.takeExpiredFiles({ ...never, now: now + 1 });
      const number = caller < 4 ? caller + 1 : caller;
      const appended = await messages.append(messageIn(1, "image", { files: [md5(number)] }));
      return appended.outcome === "appended" ? [await bucket.findFile(md5(number))] : [];
    });
    const swept = md5sOf((results[4] ?? []).flatMap((file) => file ?? []));
    const used = results.flatMap((files, caller) => (caller === 4 ? [] : files));
    assert.ok(!used.includes(null), "a message uses a file that is gone");
    assert.equal(swept.length + used.length, 8);
  },

  "a file that is kept has no expiry": async ({ storage: { bucket, messages } }) => {
    await bucket.putFile(upload(1));
    await bucket.putFile(upload(2));
    assert.equal(await bucket.keepFile(md5(1)), true);
    assert.equal(await bucket.keepFile(md5(3)), false);
    await messages.append(messageIn(1, "image", { files: [md5(1)] }, { receiveTime: now + hour }));
    const later = now + 1_000_000 * hour;
    const taken = await bucket.takeExpiredFiles({ now: later, imagesBefore: later, limit: 10 });
    assert.deepEqual(md5sOf(taken), [md5(2)]);
    assert.equal((await bucket.findFile(md5(1)))?.usedAt, Number.MAX_SAFE_INTEGER);
  },

  "one file can be taken, used or not, with its uploads and attachments": async ({ storage: { bucket, messages } }) => {
    await bucket.putFile(upload(1));
    await bucket.putFile(upload(2));
    const attachments = [{ relativePath: "x", md5: md5(1), name: "x" }];
    await messages.append(messageIn(1, "file", { files: [md5(1)], attachments }));
    assert.deepEqual(await bucket.takeFile(md5(1)), { ...fileOf(1), createdAt: now, usedAt: now });
    assert.equal(await bucket.takeFile(md5(1)), null);
    assert.equal(await bucket.findFile(md5(1)), null);
    assert.equal(await bucket.findAttachment("x"), null);
    assert.deepEqual(md5sOf(await bucket.findUploads(7, [md5(1), md5(2)])), [md5(2)]);
    assert.deepEqual(await bucket.findBlobs([fileOf(1).blobId]), new Set());
  },

  "of 10 that take one file simultaneously exactly one gets it": async ({ storage, race }) => {
    await storage.bucket.putFile(upload(1));
    const taken = await race(10, ({ bucket }) => bucket.takeFile(md5(1)));
    assert.equal(taken.filter((file) => file !== null).length, 1);
  },

  "a file that was taken can be uploaded again": async ({ storage: { bucket } }) => {
    await bucket.putFile(upload(1));
    await bucket.takeExpiredFiles({ ...never, now: now + 1 });
    const blobId = `${md5(1)}.again`;
    const put = await bucket.putFile(upload(1, { now: now + 9, uploader: 8 }, { blobId }));
    assert.deepEqual(put, { outcome: "stored", file: { ...fileOf(1), blobId, createdAt: now + 9, usedAt: null } });
    assert.deepEqual(await bucket.findUploads(7, [md5(1)]), []);
  },
});
