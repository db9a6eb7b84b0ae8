import assert from "node:assert/strict";
import type { PairingRecord, PairingStore } from "@telex/core/storage";
import { defineCases, type StorageCase } from "../support/case.ts";
import { countOutcomes } from "../support/expect.ts";
import { digitsOf, now } from "../support/fixtures.ts";

const minute = 60_000;
const codeDigest = digitsOf(1, 64);
const secretDigest = digitsOf(2, 64);
const code = { codeDigest, userId: 7, now, issuedBy: null, issuerEndsAt: null };

type Issue = Parameters<PairingStore["issuePairing"]>[0];

const pairing = (different: Partial<Issue> = {}): Issue => ({
  codeDigest,
  secretDigest,
  deviceId: "printer-1",
  name: "Drucker 打印机",
  expiresAt: now + 10 * minute,
  now,
  ...different,
});

const record = (different: Partial<PairingRecord> = {}): PairingRecord => {
  const { now: _issued, ...kept } = pairing();
  return { ...kept, userId: 7, confirmed: false, issuedBy: null, issuerEndsAt: null, ...different };
};

/** A pairing of another device with the same code. */
const second = pairing({ secretDigest: digitsOf(3, 64), deviceId: "printer-2", expiresAt: now + 20 * minute });

/** A pairing that its user has claimed, and confirmed if asked. */
async function issueClaimed(store: PairingStore, isConfirmed = false): Promise<void> {
  await store.issuePairing(pairing());
  await store.claimPairing(code);
  if (isConfirmed) await store.confirmPairing(code);
}

const confirmed = { outcome: "confirmed", deviceId: "printer-1", userId: 7, issuedBy: null, issuerEndsAt: null };
const pending = { outcome: "pending", deviceId: "printer-1" };

/** Promises of a storage about devices that ask to be paired. */
export const pairingCases: readonly StorageCase[] = defineCases("pairings", {
  "a device waits until its user has claimed and confirmed it": async ({ storage: { pairings } }) => {
    const look = async () => {
      const state = await pairings.findPairing({ secretDigest, now });
      assert.deepEqual(await pairings.consumePairing({ secretDigest, now }), state);
      return state;
    };
    assert.equal(await pairings.issuePairing(pairing()), "issued");
    assert.deepEqual([await look(), await pairings.claimPairing(code)], [pending, record()]);
    assert.deepEqual([await look(), await pairings.confirmPairing(code)], [pending, record({ confirmed: true })]);
  },

  "a device is paired once, also after a restart": async ({ storage, reopen }) => {
    await issueClaimed(storage.pairings, true);
    const { pairings } = await reopen();
    assert.deepEqual(await pairings.consumePairing({ secretDigest, now }), confirmed);
    assert.deepEqual(await pairings.consumePairing({ secretDigest, now }), { outcome: "missing" });
  },

  "a confirmed pairing can be looked at until it is consumed, also after a restart": async ({ storage, reopen }) => {
    const key = { secretDigest, now };
    assert.deepEqual(await storage.pairings.findPairing(key), { outcome: "missing" });
    await issueClaimed(storage.pairings, true);
    const { pairings } = await reopen();
    assert.deepEqual([await pairings.findPairing(key), await pairings.findPairing(key)], [confirmed, confirmed]);
    assert.deepEqual(await pairings.findPairing({ secretDigest, now: now + 11 * minute }), { outcome: "missing" });
    await pairings.consumePairing(key);
    assert.deepEqual(await pairings.findPairing(key), { outcome: "missing" });
  },

  "a pairing keeps the token of the admin who confirmed it and its end, also after a restart": async ({
    storage,
    reopen,
  }) => {
    await issueClaimed(storage.pairings);
    const admin = { issuedBy: 12, issuerEndsAt: now + 60 * minute };
    const byAdmin = record({ confirmed: true, ...admin });
    assert.deepEqual(await storage.pairings.confirmPairing({ ...code, ...admin }), byAdmin);
    const { pairings } = await reopen();
    assert.deepEqual(await pairings.consumePairing({ secretDigest, now }), { ...confirmed, ...admin });
  },

  "a code belongs to the user who looked it up first": async ({ storage: { pairings } }) => {
    await issueClaimed(pairings);
    assert.equal(await pairings.claimPairing({ ...code, userId: 8 }), null);
    assert.equal(await pairings.confirmPairing({ ...code, userId: 8 }), null);
    assert.deepEqual(await pairings.claimPairing(code), record());
  },

  "a code that was not claimed cannot be confirmed": async ({ storage: { pairings } }) => {
    await pairings.issuePairing(pairing());
    assert.equal(await pairings.confirmPairing(code), null);
  },

  "no verb finds an unknown code or secret": async ({ storage: { pairings } }) => {
    await pairings.issuePairing(pairing());
    const unknown = { ...code, codeDigest: digitsOf(9, 64) };
    assert.equal(await pairings.claimPairing(unknown), null);
    assert.equal(await pairings.confirmPairing(unknown), null);
    assert.deepEqual(await pairings.consumePairing({ secretDigest: digitsOf(9, 64), now }), { outcome: "missing" });
  },

  "a code is taken until it has expired": async ({ storage: { pairings } }) => {
    await pairings.issuePairing(pairing());
    assert.equal(await pairings.issuePairing({ ...second, now: now + 9 * minute }), "code_taken");
    assert.equal(await pairings.issuePairing({ ...second, now: now + 11 * minute }), "issued");
    assert.equal((await pairings.claimPairing({ ...code, now: now + 11 * minute }))?.deviceId, "printer-2");
  },

  "a confirmed pairing frees its code": async ({ storage: { pairings } }) => {
    await issueClaimed(pairings, true);
    assert.deepEqual([await pairings.confirmPairing(code), await pairings.claimPairing(code)], [null, null]);
    assert.equal(await pairings.issuePairing(second), "issued");
    assert.deepEqual(await pairings.consumePairing({ secretDigest, now }), confirmed);
  },

  "no verb finds an expired pairing": async ({ storage: { pairings } }) => {
    const late = now + 11 * minute;
    await issueClaimed(pairings);
    assert.equal(await pairings.confirmPairing({ ...code, now: late }), null);
    assert.deepEqual(await pairings.consumePairing({ secretDigest, now: late }), { outcome: "missing" });
  },

  "an expired pairing cannot be claimed, and is no longer pending": async ({ storage: { pairings } }) => {
    const late = now + 11 * minute;
    await pairings.issuePairing(pairing());
    assert.equal(await pairings.claimPairing({ ...code, now: late }), null);
    assert.deepEqual(await pairings.consumePairing({ secretDigest, now: late }), { outcome: "missing" });
  },

  "of 20 simultaneous devices with one code exactly one gets it": async ({ race }) => {
    const issued = await race(20, ({ pairings }, caller) =>
      pairings.issuePairing(pairing({ secretDigest: digitsOf(100 + caller, 64), deviceId: `printer-${caller}` })),
    );
    assert.deepEqual(countOutcomes(issued), { issued: 1, code_taken: 19 });
  },

  "of 20 users that look a code up simultaneously exactly one gets it": async ({ storage, race }) => {
    await storage.pairings.issuePairing(pairing());
    const claims = await race(20, ({ pairings }, caller) => pairings.claimPairing({ ...code, userId: caller + 1 }));
    assert.equal(claims.filter((found) => found !== null).length, 1);
  },

  "of 10 simultaneous confirmations exactly one confirms": async ({ storage, race }) => {
    await issueClaimed(storage.pairings);
    const confirmations = await race(10, ({ pairings }) => pairings.confirmPairing(code));
    assert.equal(confirmations.filter((found) => found !== null).length, 1);
  },

  "of 20 callers for one confirmed pairing exactly one gets it": async ({ storage, race }) => {
    await issueClaimed(storage.pairings, true);
    const consumed = await race(20, ({ pairings }) => pairings.consumePairing({ secretDigest, now }));
    assert.deepEqual(countOutcomes(consumed), { confirmed: 1, missing: 19 });
  },
});
