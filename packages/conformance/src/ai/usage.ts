import assert from "node:assert/strict";
import { defineCases, type StorageCase } from "../support/case.ts";
import { user, november, only, justToday, request, usage, spend } from "./kit.ts";

/** Promises about allocations and what counts as used. */
export const usageCases: readonly StorageCase[] = defineCases("ai", {
  "no user has an allocation before one is assigned": async ({ storage: { ai } }) => {
    await ai.assignAllocation(8, { unit: "count", max: 0, period: "daily" });
    assert.equal(await ai.findAllocation(user), null);
  },

  "a user has the allocation that was assigned last": async ({ storage, reopen }) => {
    await storage.ai.assignAllocation(user, { unit: "count", max: 0, period: "daily" });
    await storage.ai.assignAllocation(user, { unit: "token", max: 5000, period: "monthly" });
    const { ai } = await reopen();
    assert.deepEqual(await ai.findAllocation(user), { unit: "token", max: 5000, period: "monthly" });
  },

  "assigning an allocation changes no usage": async ({ storage: { ai } }) => {
    await spend(ai, "a", 2, 30);
    await ai.assignAllocation(user, { unit: "count", max: 1, period: "weekly" });
    assert.deepEqual(await ai.sumUsage(user, justToday), usage(2, 30));
  },

  "usage is the sum of its days, the last one not included": async ({ storage: { ai } }) => {
    const days = ["2026-10-31", "2026-11-01", "2026-11-30", "2026-12-01"];
    for (const [at, day] of days.entries()) await spend(ai, day, 2 ** at, 10 ** at, { day });
    assert.deepEqual(await ai.sumUsage(user, november), usage(6, 110));
    assert.deepEqual(await ai.sumUsage(user, only("2026-11-30", "2026-12-02")), usage(12, 1100));
  },

  "days without use have no usage": async ({ storage: { ai } }) => {
    for (const day of ["2026-11-01", "2026-11-30"]) await spend(ai, day, 1, 10, { day });
    assert.deepEqual(await ai.sumUsage(user, only("2026-11-02", "2026-11-30")), usage(0, 0));
  },

  "usage counts for its user only": async ({ storage: { ai } }) => {
    await spend(ai, "a", 16, 160, { userId: 8 });
    assert.deepEqual(await ai.sumUsage(user, justToday), usage(0, 0));
  },

  "usage per day is listed oldest first, without idle days": async ({ storage, reopen }) => {
    await spend(storage.ai, "a", 1, 10, { day: "2026-11-20" });
    await spend(storage.ai, "b", 1, 5, { day: "2026-11-03" });
    await spend(storage.ai, "c", 1, 7, { day: "2026-11-20" });
    await spend(storage.ai, "d", 1, 1, { day: "2026-12-01" });
    await storage.ai.reserve(request("open", { day: "2026-11-10" }));
    const { ai } = await reopen();
    assert.deepEqual(await ai.listUsage(user, november), [
      { day: "2026-11-03", replies: 1, tokens: 5, started: 1 },
      { day: "2026-11-20", replies: 2, tokens: 17, started: 2 },
    ]);
    assert.deepEqual(await ai.listUsage(8, november), []);
  },

  "a reservation is no usage until it is settled with what was really used": async ({ storage: { ai } }) => {
    await ai.reserve(request("a", { tokens: 500 }));
    assert.deepEqual(await ai.sumUsage(user, justToday), usage(0, 0));
    assert.equal(await ai.settle({ reservationId: "a", used: usage(1, 123) }), true);
    assert.deepEqual(await ai.sumUsage(user, justToday), usage(1, 123));
  },

  "a reply counts on the day on which it began": async ({ storage: { ai } }) => {
    await ai.reserve(request("a", { day: "2026-11-19" }));
    await ai.settle({ reservationId: "a", used: usage(1, 10) });
    assert.deepEqual(await ai.listUsage(user, november), [{ day: "2026-11-19", replies: 1, tokens: 10, started: 1 }]);
  },
});
