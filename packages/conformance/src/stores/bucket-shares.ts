import assert from "node:assert/strict";
import type { BucketStore, FilePut, UploadReservation, UploadShare } from "@telex/core/storage";
import { defineCases, type StorageCase } from "../support/case.ts";
import { countOutcomes, expectOutcome } from "../support/expect.ts";
import { digitsOf, now, upload } from "../support/fixtures.ts";

const hour = 3_600_000;
const mib = 2 ** 20;

const shareOf = (different: Partial<UploadShare> = {}): UploadShare => ({
  uploader: 7,
  until: now + hour,
  bytes: mib,
  ...different,
});

const reserve = (
  store: BucketStore,
  different: Partial<UploadShare> = {},
  at: number = now,
): Promise<UploadReservation> => store.reserveUpload(shareOf(different), { max: 10 * mib, now: at });

const reserved = { outcome: "reserved" } as const;
const usedUp = (freeAt: number = now + hour) => ({ outcome: "used_up", freeAt }) as const;

/** Promises of a storage about the shares of uploads. */
export const shareCases: readonly StorageCase[] = defineCases("upload shares", {
  "bytes are reserved up to the limit, and not one more": async ({ storage, reopen }) => {
    assert.deepEqual(await reserve(storage.bucket, { bytes: 10 * mib - 1 }), reserved);
    assert.deepEqual(await reserve(storage.bucket, { bytes: 2 }), usedUp());
    const { bucket } = await reopen();
    assert.deepEqual(await reserve(bucket, { bytes: 2 }), usedUp());
    assert.deepEqual(await reserve(bucket, { bytes: 1 }), reserved);
    assert.deepEqual(await reserve(bucket, { bytes: 1 }), usedUp());
  },

  "more than the limit is refused from the start": async ({ storage: { bucket } }) => {
    assert.deepEqual(await reserve(bucket, { bytes: 10 * mib + 1 }), usedUp());
    assert.deepEqual(await reserve(bucket, { bytes: 10 * mib }), reserved);
  },

  "every uploader has a share of its own": async ({ storage: { bucket } }) => {
    assert.deepEqual(await reserve(bucket, { bytes: 10 * mib }), reserved);
    assert.deepEqual(await reserve(bucket, { uploader: 0, bytes: 10 * mib }), reserved);
    assert.deepEqual(await reserve(bucket, { uploader: 8 }), reserved);
    assert.deepEqual(await reserve(bucket, { uploader: 0 }), usedUp());
  },

  "bytes of different times count together, and each only until its own": async ({ storage: { bucket } }) => {
    await reserve(bucket, { bytes: 6 * mib, until: now + 2 * hour });
    await reserve(bucket, { bytes: 4 * mib });
    assert.deepEqual(await reserve(bucket, { until: now + 3 * hour }), usedUp());
    const later = { until: now + 9 * hour };
    assert.deepEqual(await reserve(bucket, later, now + hour - 1), usedUp());
    assert.deepEqual(await reserve(bucket, { ...later, bytes: 5 * mib }, now + hour), usedUp(now + 2 * hour));
    assert.deepEqual(await reserve(bucket, { ...later, bytes: 4 * mib }, now + hour), reserved);
    assert.deepEqual(await reserve(bucket, { ...later, bytes: 6 * mib }, now + 2 * hour), reserved);
  },

  "bytes that an upload does not use are free immediately": async ({ storage, reopen }) => {
    await reserve(storage.bucket, { bytes: 10 * mib });
    await storage.bucket.releaseUpload(shareOf({ bytes: 3 * mib }));
    const { bucket } = await reopen();
    assert.deepEqual(await reserve(bucket, { bytes: 3 * mib }), reserved);
    assert.deepEqual(await reserve(bucket, { bytes: 1 }), usedUp());
  },

  "a stored file releases what it did not use, also where it was known, and a refused one releases nothing": async ({
    storage: { bucket },
  }) => {
    const put = (number: number, bytes: number, file: Partial<FilePut["file"]> = {}) =>
      bucket.putFile(upload(number, { reserved: shareOf({ bytes }) }, { size: mib, ...file }));
    await reserve(bucket, { bytes: 10 * mib });
    expectOutcome(await put(1, 4 * mib), "stored");
    assert.deepEqual(await reserve(bucket, { bytes: 3 * mib }), reserved);
    assert.deepEqual(await reserve(bucket, { bytes: 1 }), usedUp());
    expectOutcome(await put(1, 2 * mib), "known");
    expectOutcome(await put(1, 5 * mib, { sha256: digitsOf(99, 64) }), "conflict");
    expectOutcome(await put(2, mib), "stored");
    assert.deepEqual(await reserve(bucket, { bytes: mib + 1 }), usedUp());
    assert.deepEqual(await reserve(bucket, { bytes: mib }), reserved);
  },

  "releasing takes nothing from others, and never goes below zero": async ({ storage: { bucket } }) => {
    await reserve(bucket, { bytes: 10 * mib });
    await bucket.releaseUpload(shareOf({ uploader: 8, bytes: mib }));
    await bucket.releaseUpload(shareOf({ until: now + 5 * hour, bytes: mib }));
    assert.deepEqual(await reserve(bucket), usedUp());
    await bucket.releaseUpload(shareOf({ bytes: 90 * mib }));
    assert.deepEqual(await reserve(bucket, { bytes: 10 * mib }), reserved);
    assert.deepEqual(await reserve(bucket), usedUp());
  },

  "of 20 callers for the last bytes only as many get them as fit": async ({ race }) => {
    const results = await race(20, ({ bucket }, caller) =>
      reserve(bucket, { bytes: 2 * mib, until: now + hour + caller }),
    );
    assert.deepEqual(countOutcomes(results), { reserved: 5, used_up: 15 });
  },

  "bytes that 10 callers release simultaneously are free once": async ({ storage, race }) => {
    await reserve(storage.bucket, { bytes: 10 * mib });
    await race(10, ({ bucket }) => bucket.releaseUpload(shareOf({ bytes: mib / 2 })));
    assert.deepEqual(await reserve(storage.bucket, { bytes: 5 * mib + 1 }), usedUp());
    assert.deepEqual(await reserve(storage.bucket, { bytes: 5 * mib }), reserved);
  },
});
