import assert from "node:assert/strict";
import { defineCases, type StorageCase } from "../support/case.ts";
import { countOutcomes } from "../support/expect.ts";
import { now } from "../support/fixtures.ts";
import { user, justToday, request, inTokens, usage, useUp, spend } from "./kit.ts";

/** Promises about the settlement of reserved shares, and about simultaneous callers. */
export const settlementCases: readonly StorageCase[] = defineCases("ai", {
  "settling an expired reservation still adds": async ({ storage: { ai } }) => {
    await ai.reserve(request("slow", { expiresAt: now + 1000 }));
    await ai.reserve(request("other", {}, { now: now + 2000 }));
    assert.equal(await ai.settle({ reservationId: "slow", used: usage(1, 9) }), true);
    assert.deepEqual(await ai.sumUsage(user, justToday), usage(1, 9));
  },

  "a second settlement adds nothing, nor does one of nothing reserved": async ({ storage: { ai } }) => {
    await spend(ai, "a", 1, 10);
    assert.equal(await ai.settle({ reservationId: "a", used: usage(1, 10) }), false);
    assert.equal(await ai.settle({ reservationId: "unknown", used: usage(1, 10) }), false);
    assert.deepEqual(await ai.sumUsage(user, justToday), usage(1, 10));
  },

  "a settled share that used less leaves the rest to others": async ({ storage: { ai } }) => {
    await ai.reserve(request("a", { tokens: 1000 }, inTokens));
    assert.equal(await ai.reserve(request("b", { tokens: 1 }, inTokens)), "exceeded");
    await ai.settle({ reservationId: "a", used: usage(0, 300) });
    assert.equal(await ai.reserve(request("c", { tokens: 700 }, inTokens)), "reserved");
  },

  "of 100 callers for the last 7 shares exactly 7 get one": async ({ storage, race }) => {
    await spend(storage.ai, "spent", 3, 0);
    const results = await race(100, ({ ai }, caller) => ai.reserve(request(`caller ${caller}`)));
    assert.deepEqual(countOutcomes(results), { reserved: 7, exceeded: 93 });
  },

  "of 20 callers for the last share exactly one gets it": async ({ storage, race }) => {
    await storage.ai.reserve(request("open", { replies: 9 }));
    const results = await race(20, ({ ai }, caller) => ai.reserve(request(`caller ${caller}`)));
    assert.deepEqual(countOutcomes(results), { reserved: 1, exceeded: 19 });
  },

  "of 10 simultaneous settlements one adds": async ({ storage, race }) => {
    await storage.ai.reserve(request("a"));
    const added = await race(10, ({ ai }) => ai.settle({ reservationId: "a", used: usage(1, 10) }));
    assert.equal(added.filter(Boolean).length, 1);
    assert.deepEqual(await storage.ai.sumUsage(user, justToday), usage(1, 10));
  },

  "simultaneous settlements lose nothing": async ({ storage, race }) => {
    await race(20, ({ ai }, caller) => spend(ai, `caller ${caller}`, 1, caller));
    assert.deepEqual(await storage.ai.sumUsage(user, justToday), usage(20, 190));
  },

  "callers that reserve and settle simultaneously never use more than the maximum": async ({ storage, race }) => {
    const results = await race(40, ({ ai }, caller) => useUp(ai, `caller ${caller}`, usage(1, 1)));
    assert.deepEqual(countOutcomes(results), { reserved: 10, exceeded: 30 });
    assert.deepEqual(await storage.ai.sumUsage(user, justToday), usage(10, 10));
  },

  "reservations survive a restart": async ({ storage, reopen }) => {
    await storage.ai.reserve(request("open", { replies: 10 }));
    const { ai } = await reopen();
    assert.equal(await ai.reserve(request("more")), "exceeded");
    assert.equal(await ai.settle({ reservationId: "open", used: usage(2, 3) }), true);
    assert.deepEqual(await ai.sumUsage(user, justToday), usage(2, 3));
  },
});
