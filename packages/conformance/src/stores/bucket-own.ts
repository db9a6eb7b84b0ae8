import assert from "node:assert/strict";
import type { UploadTaken } from "@telex/core/storage";
import { defineCases, type StorageCase } from "../support/case.ts";
import { countOutcomes, expectOutcome, withOutcome } from "../support/expect.ts";
import { fileOf, messageIn, now, upload, uploadedOf } from "../support/fixtures.ts";
import { byCode, hour, issue, md5 } from "./bucket-kit.ts";

const own = { userId: 7, md5: md5(1) };

/** Promises of a storage about the files of one user. */
export const ownFileCases: readonly StorageCase[] = defineCases("own files", {
  "an upload has the last name of its user, and the time of the first": async ({ storage, reopen }) => {
    await storage.bucket.putFile(upload(1));
    await storage.bucket.putFile(upload(1, { uploader: 8, now: now + 5, name: "笔记 <b>.txt", kind: "text" }));
    await storage.bucket.putFile(upload(1, { now: now + 9, name: "again.png" }));
    const { bucket } = await reopen();
    const file = { ...fileOf(1), createdAt: now, usedAt: null };
    const mine = { ...uploadedOf(file, now), name: "again.png" };
    const theirs = { ...file, name: "笔记 <b>.txt", kind: "text", uploadedAt: now + 5 };
    assert.deepEqual(await bucket.findUploads(7, [md5(1), md5(1)]), [mine]);
    assert.deepEqual(await bucket.listUploads({ userId: 7, after: null, limit: 2 }), [mine]);
    assert.deepEqual(await bucket.findUploads(8, [md5(1)]), [theirs]);
  },

  "taking an upload also takes its file": async ({ storage, reopen }) => {
    await storage.bucket.putFile(upload(1));
    await storage.bucket.putAttachment({ relativePath: "x", md5: md5(1), name: "x" });
    assert.deepEqual(await storage.bucket.takeUpload({ ...own, userId: 8 }), { outcome: "missing" });
    const taken = withOutcome(await storage.bucket.takeUpload(own), "dropped");
    assert.deepEqual(taken.file, { ...fileOf(1), createdAt: now, usedAt: null });
    const { bucket } = await reopen();
    assert.deepEqual(await bucket.takeUpload(own), { outcome: "missing" });
    assert.deepEqual([await bucket.findFile(md5(1)), await bucket.findAttachment("x")], [null, null]);
    assert.deepEqual(await bucket.findBlobs([fileOf(1).blobId]), new Set());
  },

  "a file stays while another user, a code, a message or a lasting use has it": async ({ storage }) => {
    const { bucket, messages } = storage;
    for (const number of [1, 2, 3, 4]) await bucket.putFile(upload(number));
    await bucket.putFile(upload(1, { uploader: 8 }));
    await issue(bucket);
    await bucket.putFile(upload(2, byCode));
    await messages.append(messageIn(1, "image", { files: [md5(3)] }));
    await bucket.keepFile(md5(4));
    for (const number of [1, 2, 3, 4]) {
      expectOutcome(await bucket.takeUpload({ userId: 7, md5: md5(number) }), "kept");
      assert.notEqual(await bucket.findFile(md5(number)), null);
      assert.deepEqual(await bucket.findUploads(7, [md5(number)]), []);
    }
    expectOutcome(await bucket.takeUpload({ userId: 8, md5: md5(1) }), "dropped");
  },

  "of 10 that take one upload simultaneously exactly one gets it": async ({ storage, race }) => {
    await storage.bucket.putFile(upload(1));
    const taken = await race<UploadTaken>(10, ({ bucket }) => bucket.takeUpload(own));
    assert.deepEqual(countOutcomes(taken), { dropped: 1, missing: 9 });
  },

  "of the users of a file who take their uploads simultaneously, the last takes the file": async ({
    storage,
    race,
  }) => {
    for (let user = 1; user <= 8; user += 1) await storage.bucket.putFile(upload(1, { uploader: user }));
    const taken = await race<UploadTaken>(8, ({ bucket }, caller) =>
      bucket.takeUpload({ userId: caller + 1, md5: md5(1) }),
    );
    assert.deepEqual(countOutcomes(taken), { kept: 7, dropped: 1 });
    assert.equal(await storage.bucket.findFile(md5(1)), null);
  },

  "a file that is uploaded while others take theirs exists afterwards": async ({ storage, race }) => {
    await storage.bucket.putFile(upload(1));
    await race<unknown>(8, ({ bucket }, caller) =>
      caller % 2 === 0
        ? bucket.takeUpload(own)
        : bucket.putFile(upload(1, { uploader: 8 }, { blobId: `${md5(1)}.${caller}` })),
    );
    const { bucket } = storage;
    const [theirs] = await bucket.findUploads(8, [md5(1)]);
    assert.deepEqual(await bucket.findBlobs([theirs?.blobId ?? ""]), new Set([theirs?.blobId]));
    assert.deepEqual(await bucket.findUploads(7, [md5(1)]), []);
  },

  "an upload that is taken while a message uses it is in use, or the message fails": async ({ storage, race }) => {
    await storage.bucket.putFile(upload(1));
    const [taken, appended] = await race(2, async ({ bucket, messages }, caller) =>
      caller === 0
        ? (await bucket.takeUpload(own)).outcome
        : (await messages.append(messageIn(1, "image", { files: [md5(1)] }))).outcome,
    );
    const isThere = (await storage.bucket.findFile(md5(1))) !== null;
    assert.deepEqual([taken, appended], isThere ? ["kept", "appended"] : ["dropped", "file_missing"]);
  },

  "a file that is held expires later, used or not": async ({ storage: { bucket, messages }, reopen }) => {
    await bucket.putFile(upload(1));
    await bucket.putFile(upload(2));
    await messages.append(messageIn(1, "image", { files: [md5(2)] }));
    assert.equal(await bucket.holdUpload({ ...own, userId: 8, until: now + hour }), false);
    assert.equal(await bucket.holdUpload({ ...own, md5: md5(3), until: now + hour }), false);
    for (const until of [now + 2 * hour, now + hour])
      for (const number of [1, 2]) assert.equal(await bucket.holdUpload({ ...own, md5: md5(number), until }), true);
    const { bucket: later } = await reopen();
    const expiry = { imagesBefore: now + 9 * hour, limit: 10 };
    assert.deepEqual(await later.takeExpiredFiles({ ...expiry, now: now + hour }), []);
    assert.equal((await later.takeExpiredFiles({ ...expiry, now: now + 2 * hour + 1 })).length, 2);
  },
});
