import assert from "node:assert/strict";
import type { PairingRecord, PairingStore } from "../src/pairing/store.ts";
import { defineCases, type StorageCase } from "./case.ts";
import { countOutcomes } from "./expect.ts";
import { digitsOf, now } from "./fixtures.ts";

const minute = 60_000;
const codeDigest = digitsOf(1, 64);
const secretDigest = digitsOf(2, 64);
const code = { codeDigest, userId: 7, now };

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
  return { ...kept, userId: 7, confirmed: false, ...different };
};

/** What a storage promises of devices that ask to be paired. */
export const pairingCases: readonly StorageCase[] = defineCases("pairings", {
  "a device waits until its user has claimed and confirmed it, and is paired once": async ({ storage, reopen }) => {
    assert.equal(await storage.pairings.issuePairing(pairing()), "issued");
    const pending = { outcome: "pending", deviceId: "printer-1" };
    assert.deepEqual(await storage.pairings.consumePairing({ secretDigest, now }), pending);
    assert.deepEqual(await storage.pairings.claimPairing(code), record());
    assert.deepEqual(await storage.pairings.consumePairing({ secretDigest, now }), pending);
    assert.deepEqual(await storage.pairings.confirmPairing(code), record({ confirmed: true }));
    const { pairings } = await reopen();
    const confirmed = { outcome: "confirmed", deviceId: "printer-1", userId: 7 };
    assert.deepEqual(await pairings.consumePairing({ secretDigest, now }), confirmed);
    assert.deepEqual(await pairings.consumePairing({ secretDigest, now }), { outcome: "missing" });
  },

  "a code belongs to the user who looked it up first": async ({ storage: { pairings } }) => {
    await pairings.issuePairing(pairing());
    assert.deepEqual(await pairings.claimPairing(code), record());
    assert.equal(await pairings.claimPairing({ ...code, userId: 8 }), null);
    assert.equal(await pairings.confirmPairing({ ...code, userId: 8 }), null);
    assert.deepEqual(await pairings.claimPairing(code), record());
  },

  "a code that was not claimed cannot be confirmed, nor an unknown one claimed": async ({ storage: { pairings } }) => {
    await pairings.issuePairing(pairing());
    assert.equal(await pairings.confirmPairing(code), null);
    const unknown = { ...code, codeDigest: digitsOf(9, 64) };
    assert.equal(await pairings.claimPairing(unknown), null);
    assert.equal(await pairings.confirmPairing(unknown), null);
    const other = { secretDigest: digitsOf(9, 64), now };
    assert.deepEqual(await pairings.consumePairing(other), { outcome: "missing" });
  },

  "a code is taken until it has expired": async ({ storage: { pairings } }) => {
    await pairings.issuePairing(pairing());
    const second = { secretDigest: digitsOf(3, 64), deviceId: "printer-2" };
    assert.equal(await pairings.issuePairing(pairing({ ...second, now: now + 9 * minute })), "code_taken");
    const late = { now: now + 11 * minute, expiresAt: now + 20 * minute };
    assert.equal(await pairings.issuePairing(pairing({ ...second, ...late })), "issued");
    assert.equal((await pairings.claimPairing({ ...code, now: late.now }))?.deviceId, "printer-2");
  },

  "a confirmed pairing frees its code": async ({ storage: { pairings } }) => {
    await pairings.issuePairing(pairing());
    await pairings.claimPairing(code);
    await pairings.confirmPairing(code);
    assert.equal(await pairings.confirmPairing(code), null);
    assert.equal(await pairings.claimPairing(code), null);
    const second = { secretDigest: digitsOf(3, 64), deviceId: "printer-2" };
    assert.equal(await pairings.issuePairing(pairing(second)), "issued");
    const confirmed = await pairings.consumePairing({ secretDigest, now });
    assert.deepEqual(confirmed, { outcome: "confirmed", deviceId: "printer-1", userId: 7 });
  },

  "what has expired is not there for any verb": async ({ storage: { pairings } }) => {
    const late = now + 11 * minute;
    await pairings.issuePairing(pairing());
    assert.equal(await pairings.claimPairing({ ...code, now: late }), null);
    await pairings.issuePairing(pairing());
    await pairings.claimPairing(code);
    assert.equal(await pairings.confirmPairing({ ...code, now: late }), null);
    await pairings.issuePairing(pairing({ codeDigest: digitsOf(4, 64), secretDigest: digitsOf(5, 64) }));
    assert.deepEqual(await pairings.consumePairing({ secretDigest: digitsOf(5, 64), now: late }), {
      outcome: "missing",
    });
  },

  "of 20 simultaneous devices with one code exactly one gets it": async ({ race }) => {
    const issued = await race(20, ({ pairings }, caller) =>
      pairings.issuePairing(pairing({ secretDigest: digitsOf(100 + caller, 64), deviceId: `printer-${caller}` })),
    );
    assert.deepEqual(countOutcomes(issued), { issued: 1, code_taken: 19 });
  },

  "of 20 users that look a code up simultaneously exactly one gets it": async ({ storage, race }) => {
    await storage.pairings.issuePairing(pairing());
    const claimed = await race(20, ({ pairings }, caller) => pairings.claimPairing({ ...code, userId: caller + 1 }));
    assert.equal(claimed.filter((found) => found !== null).length, 1);
  },

  "of 10 simultaneous confirmations exactly one confirms": async ({ storage, race }) => {
    await storage.pairings.issuePairing(pairing());
    await storage.pairings.claimPairing(code);
    const confirmed = await race(10, ({ pairings }) => pairings.confirmPairing(code));
    assert.equal(confirmed.filter((found) => found !== null).length, 1);
  },

  "of 20 callers for one confirmed pairing exactly one gets it": async ({ storage, race }) => {
    await storage.pairings.issuePairing(pairing());
    await storage.pairings.claimPairing(code);
    await storage.pairings.confirmPairing(code);
    const consumed = await race(20, ({ pairings }) => pairings.consumePairing({ secretDigest, now }));
    assert.deepEqual(countOutcomes(consumed), { confirmed: 1, missing: 19 });
  },
});
