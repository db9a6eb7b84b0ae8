import assert from "node:assert/strict";
import type { LeaseRecord, LeaseStore } from "../src/leases/store.ts";
import { changesSince } from "./changes.ts";
import { defineCases, type StorageCase } from "./case.ts";
import { now } from "./fixtures.ts";

type Take = Parameters<LeaseStore["takeLease"]>[0];

/** A lease of a minute, with what differs from the usual. */
export const leaseOf = (name: string, different: Partial<Take> = {}): Take => ({
  name,
  holder: "server-1/x",
  until: now + 60_000,
  note: `note of ${name}`,
  now,
  ...different,
});

const recordOf = ({ now: _now, over: _over, ...lease }: Take, fence: number): LeaseRecord => ({ ...lease, fence });

/** What a storage promises of leases. */
export const leaseCases: readonly StorageCase[] = defineCases("leases", {
  "of 20 that take a lease simultaneously one gets it": async ({ storage, raceServers }) => {
    const taken = await raceServers(20, ({ leases }, caller) =>
      leases.takeLease(leaseOf("a", { holder: `server-${caller}` })),
    );
    const got = taken.filter((lease) => lease !== null);
    assert.equal(got.length, 1);
    assert.deepEqual(await storage.leases.listLeases(""), got);
  },

  "a lease is free from its end on, and its number increases each time": async ({ storage: { leases } }) => {
    const first = leaseOf("a");
    assert.deepEqual(await leases.takeLease(first), recordOf(first, 1));
    const end = first.until;
    assert.equal(await leases.takeLease(leaseOf("a", { now: end - 1, until: end + 1, note: "late" })), null);
    const second = leaseOf("a", { holder: "server-2/y", now: end, until: end + 60_000, note: "" });
    assert.deepEqual(await leases.takeLease(second), recordOf(second, 2));
    assert.deepEqual(await leases.listLeases("a"), [recordOf(second, 2)]);
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
    const taken = await raceServers(20, ({ leases }, caller) =>
      leases.takeLease(leaseOf("a", { holder: `server-${caller}`, over: 1 })),
    );
    assert.equal(taken.filter((lease) => lease !== null).length, 1);
  },

  "its holder moves its end and changes its note, also too late if nobody has taken it": async ({
    storage: { leases },
  }) => {
    const lease = leaseOf("a");
    await leases.takeLease(lease);
    const later = { name: "a", fence: 1, until: lease.until + 60_000, note: "你好" };
    assert.equal(await leases.touchLease(later), true);
    assert.equal(await leases.takeLease(leaseOf("a", { now: lease.until })), null);
    assert.deepEqual(await leases.listLeases("a"), [{ ...recordOf(lease, 1), until: later.until, note: "你好" }]);
  },

  "who has lost a lease changes nothing any more": async ({ storage: { leases } }) => {
    const first = leaseOf("a");
    await leases.takeLease(first);
    const second = leaseOf("a", { holder: "server-2/y", now: first.until, until: first.until + 60_000 });
    await leases.takeLease(second);
    assert.equal(await leases.touchLease({ name: "a", fence: 1, until: second.until + 1, note: "mine" }), false);
    assert.equal(await leases.releaseLease({ name: "a", fence: 1, note: "mine" }), false);
    assert.equal(await leases.touchLease({ name: "b", fence: 1, until: second.until, note: "" }), false);
    assert.deepEqual(await leases.listLeases(""), [recordOf(second, 2)]);
  },

  "a lease that was released is free, and a renewal that comes too late does not bring it back": async ({
    storage: { leases },
  }) => {
    await leases.takeLease(leaseOf("a"));
    assert.equal(await leases.releaseLease({ name: "a", fence: 1, note: "gone" }), true);
    assert.equal(await leases.releaseLease({ name: "a", fence: 1, note: "again" }), false);
    assert.equal(await leases.touchLease({ name: "a", fence: 1, until: now + 1, note: "late" }), false);
    assert.deepEqual(await leases.listLeases(""), [{ ...recordOf(leaseOf("a"), 1), until: 0, note: "gone" }]);
    assert.equal((await leases.takeLease(leaseOf("a")))?.fence, 2);
  },

  "leases are listed by name, those with the beginning that is asked for": async ({ storage, reopen }) => {
    const names = ["bot/2", "bot/10", "bot/😀", "bots", "a", "bot/"];
    for (const name of names) await storage.leases.takeLease(leaseOf(name));
    const { leases } = await reopen();
    const listed = async (prefix: string) => (await leases.listLeases(prefix)).map(({ name }) => name);
    assert.deepEqual(await listed("bot/"), ["bot/", "bot/10", "bot/2", "bot/😀"]);
    assert.deepEqual(await listed(""), ["a", "bot/", "bot/10", "bot/2", "bot/😀", "bots"]);
    assert.deepEqual(await listed("c"), []);
  },

  "of 20 that claim a name simultaneously one gets it": async ({ raceServers }) => {
    const claimed = await raceServers(20, ({ leases }) => leases.claim({ name: "a", now, until: now + 60_000 }));
    assert.equal(claimed.filter(Boolean).length, 1);
  },

  "a claim lasts until its end, also after a restart, and no other name with it": async ({ storage, reopen }) => {
    const claim = { name: "a", now, until: now + 60_000 };
    assert.equal(await storage.leases.claim(claim), true);
    assert.equal(await storage.leases.claim({ ...claim, name: "b", until: now + 30_000 }), true);
    const { leases } = await reopen();
    assert.equal(await leases.claim({ ...claim, now: now + 59_999, until: now + 90_000 }), false);
    assert.equal(await leases.claim({ ...claim, now: now + 60_000, until: now + 90_000 }), true);
    assert.equal(await leases.claim({ ...claim, now: now + 89_999, until: now + 99_000 }), false);
    assert.equal(await leases.claim({ ...claim, name: "b", now: now + 89_999, until: now + 99_000 }), true);
    assert.deepEqual(await leases.listLeases(""), []);
  },

  "taking and releasing is reported, and nothing else": async ({ storage: { leases, changes } }) => {
    const start = await changes.latest();
    await leases.takeLease(leaseOf("a"));
    await leases.takeLease(leaseOf("a"));
    await leases.touchLease({ name: "a", fence: 1, until: now + 2, note: "" });
    await leases.claim({ name: "a", now, until: now + 2 });
    await leases.releaseLease({ name: "a", fence: 1, note: "" });
    await leases.releaseLease({ name: "a", fence: 1, note: "" });
    const reported = (await changesSince(changes, start)).map(({ kind, key }) => [kind, key]);
    assert.deepEqual(reported, [
      ["lease", "a"],
      ["lease", "a"],
    ]);
  },
});
