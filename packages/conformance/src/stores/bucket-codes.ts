import assert from "node:assert/strict";
import { defineCases, type StorageCase } from "../support/case.ts";
import { countOutcomes, expectOutcome } from "../support/expect.ts";
import { digitsOf, now, upload } from "../support/fixtures.ts";
import { hour, code, byCode, issue, forged, md5, digits } from "./bucket-kit.ts";

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

  "expired codes are deleted, used or not": async ({ storage: { bucket } }) => {
    const digests = [1, 2, 3, 4].map((number) => digitsOf(number, 64));
    await Promise.all(digests.map((digest, index) => issue(bucket, { digest, expiresAt: now + index * hour })));
    await bucket.putFile(upload(1, { ...byCode, code: { ...code, digest: digits(digests, 1) } }));
    assert.equal(await bucket.takeExpiredCodes(now + hour + 1), 2);
    assert.equal(await bucket.takeExpiredCodes(now + hour + 1), 0);
    const owners = await Promise.all(digests.map((digest) => bucket.findCode(digest)));
    assert.deepEqual(
      owners.map((record) => record !== null),
      [false, false, true, true],
    );
  },
});
