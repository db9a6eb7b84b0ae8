import assert from "node:assert/strict";
import type { LeaseRecord, LeaseStore } from "@telex/core/storage";
import { changeNames } from "./changes.ts";
import { defineCases, type StorageCase } from "../support/case.ts";
import { fieldsOf } from "../support/expect.ts";
import { now } from "../support/fixtures.ts";

type Take = Parameters<LeaseStore["takeLease"]>[0];

/** A lease of a minute, with the given differences. */
export const leaseOf = (name: string, different: Partial<Take> = {}): Take => ({
  name,
  holder: "server-1/x",
  until: now + 60_000,
  note: `note of ${name}`,
  now,
  ...different,
});

/** A lease of another server, from the end of {@link leaseOf} on. */
const nextOf = (name: string): Take =>
  leaseOf(name, { holder: "server-2/y", now: now + 60_000, until: now + 120_000, note: "" });

const recordOf = ({ now: _now, over: _over, ...lease }: Take, fence: number): LeaseRecord => ({ ...lease, fence });

/** Promises of a storage about leases. */
export const leaseCases: readonly StorageCase[] = defineCases("leases", {
  "of 20 that take a lease simultaneously one gets it": async ({ storage, raceServers }) => {
    const by = (caller: number): Take => leaseOf("a", { holder: `server-${caller}` });
    const taken = await raceServers(20, ({ leases }, caller) => leases.takeLease(by(caller)));
    const [holder, ...others] = taken.filter((lease) => lease !== null);
    assert.deepEqual([await storage.leases.listLeases(""), others], [[holder], []]);
  },

  "a lease is free from its end on, and its number increases each time": async ({ storage: { leases } }) => {
    assert.deepEqual(await leases.takeLease(leaseOf("a")), recordOf(leaseOf("a"), 1));
    assert.equal(await leases.takeLease(leaseOf("a", { now: now + 59_999, note: "late" })), null);
    assert.deepEqual(await leases.takeLease(nextOf("a")), recordOf(nextOf("a"), 2));
    assert.deepEqual(await leases.listLeases("a"), [recordOf(nextOf("a"), 2)]);
  },

  "a lease that has not ended is taken over by its number, and its holder has lost it": async ({
    storage: { leases },
  }) => {
    await leases.takeLease(leaseOf("a"));
    const second = leaseOf("a", { holder: "server-2/y", over: 1 });
    assert.equal(await leases.takeLease({ ...second, over: 2 }), null);
    assert.equal((await leases.takeLease(second))?.fence, 2);
    assert.equal(await leases.touchLease({ name: "a", fence: 1, until: now + 90_000, note: "" }), false);
    assert.equal(await leases.takeLease(leaseOf("a", { over: 1 })), null);
    const [lease] = await leases.listLeases("");
    assert.deepEqual([lease?.holder, lease?.fence, lease?.until], ["server-2/y", 2, second.until]);
  },

  "of 20 that take over a lease simultaneously one gets it": async ({ storage, raceServers }) => {
    await storage.leases.takeLease(leaseOf("a"));
    const over = (caller: number): Take => leaseOf("a", { holder: `server-${caller}`, over: 1 });
    const taken = await raceServers(20, ({ leases }, caller) => leases.takeLease(over(caller)));
    assert.equal(taken.filter((lease) => lease !== null).length, 1);
  },

  "its holder moves its end and changes its note": async ({ storage: { leases } }) => {
    await leases.takeLease(leaseOf("a"));
    const later = { until: now + 120_000, note: "你好" };
    assert.equal(await leases.touchLease({ name: "a", fence: 1, ...later }), true);
    assert.deepEqual(await leases.listLeases("a"), [{ ...recordOf(leaseOf("a"), 1), ...later }]);
  },

  "a lease that was renewed is not free before its new end": async ({ storage: { leases } }) => {
    await leases.takeLease(leaseOf("a"));
    await leases.touchLease({ name: "a", fence: 1, until: now + 120_000, note: "" });
    assert.equal(await leases.takeLease(nextOf("a")), null);
  },

  "a holder who has lost a lease can no longer change it": async ({ storage: { leases } }) => {
    for (const lease of [leaseOf("a"), nextOf("a")]) await leases.takeLease(lease);
    assert.equal(await leases.touchLease({ name: "a", fence: 1, until: now + 120_001, note: "mine" }), false);
    assert.equal(await leases.releaseLease({ name: "a", fence: 1, note: "mine" }), false);
    assert.deepEqual(await leases.listLeases(""), [recordOf(nextOf("a"), 2)]);
  },

  "a lease that was never taken cannot be renewed": async ({ storage: { leases } }) => {
    assert.equal(await leases.touchLease({ name: "b", fence: 1, until: now + 60_000, note: "" }), false);
    assert.deepEqual(await leases.listLeases(""), []);
  },

  "a lease that was released is free, and keeps its last note": async ({ storage: { leases } }) => {
    await leases.takeLease(leaseOf("a"));
    assert.equal(await leases.releaseLease({ name: "a", fence: 1, note: "gone" }), true);
    assert.deepEqual(await leases.listLeases(""), [{ ...recordOf(leaseOf("a"), 1), until: 0, note: "gone" }]);
    assert.equal((await leases.takeLease(leaseOf("a")))?.fence, 2);
  },

  "a lease that was released cannot be renewed, nor released again": async ({ storage: { leases } }) => {
    await leases.takeLease(leaseOf("a"));
    await leases.releaseLease({ name: "a", fence: 1, note: "gone" });
    assert.equal(await leases.releaseLease({ name: "a", fence: 1, note: "again" }), false);
    assert.equal(await leases.touchLease({ name: "a", fence: 1, until: now + 1, note: "late" }), false);
  },

  "leases are listed by name, those with the beginning that is asked for": async ({ storage, reopen }) => {
    const names = ["bot/2", "bot/10", "bot/😀", "bots", "a", "bot/"];
    for (const name of names) await storage.leases.takeLease(leaseOf(name));
    const { leases } = await reopen();
    for (const prefix of ["bot/", "", "c"]) {
      const expected = names.filter((name) => name.startsWith(prefix)).toSorted();
      assert.deepEqual(fieldsOf(await leases.listLeases(prefix), "name"), expected);
    }
  },

  "of 20 that claim a name simultaneously one gets it": async ({ raceServers }) => {
    const claimed = await raceServers(20, ({ leases }) => leases.claim({ name: "a", now, until: now + 60_000 }));
    assert.equal(claimed.filter(Boolean).length, 1);
  },

  "a claim lasts until its end, also after a restart": async ({ storage, reopen }) => {
    assert.equal(await storage.leases.claim({ name: "a", now, until: now + 60_000 }), true);
    const { leases } = await reopen();
    assert.equal(await leases.claim({ name: "a", now: now + 59_999, until: now + 90_000 }), false);
    assert.equal(await leases.claim({ name: "a", now: now + 60_000, until: now + 90_000 }), true);
  },

  "a claim is of one name only, and no lease": async ({ storage: { leases } }) => {
    for (const name of ["a", "b"]) assert.equal(await leases.claim({ name, now, until: now + 60_000 }), true);
    assert.equal(await leases.claim({ name: "b", now: now + 60_000, until: now + 90_000 }), true);
    assert.equal(await leases.claim({ name: "b", now: now + 89_999, until: now + 99_000 }), false);
    assert.deepEqual(await leases.listLeases(""), []);
  },

  "taking and releasing is reported, once": async ({ storage: { leases, changes } }) => {
    for (const lease of [leaseOf("a"), leaseOf("a")]) await leases.takeLease(lease);
    for (const note of ["", "again"]) await leases.releaseLease({ name: "a", fence: 1, note });
    assert.deepEqual(await changeNames(changes, 0), ["lease a", "lease a"]);
  },

  "renewals and claims are not reported": async ({ storage: { leases, changes } }) => {
    await leases.takeLease(leaseOf("a"));
    await leases.touchLease({ name: "a", fence: 1, until: now + 2, note: "" });
    await leases.claim({ name: "a", now, until: now + 2 });
    assert.deepEqual(await changeNames(changes, 0), ["lease a"]);
  },
});
