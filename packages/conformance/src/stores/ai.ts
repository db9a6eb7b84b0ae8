import assert from "node:assert/strict";
import type { AiStore, Reservation } from "@telex/core/storage";
import { defineCases, type StorageCase } from "../support/case.ts";
import { countOutcomes } from "../support/expect.ts";
import { now } from "../support/fixtures.ts";

const user = 7;
const today = "2026-11-20";
const november = { from: "2026-11-01", to: "2026-12-01" };
const only = (day: string, to: string): { from: string; to: string } => ({ from: day, to });
/** The day of these reservations. */
export const justToday = only(today, "2026-11-21");

const reservation = (reservationId: string, different: Partial<Reservation> = {}): Reservation => ({
  reservationId,
  userId: user,
  day: today,
  replies: 1,
  tokens: 100,
  started: 1,
  expiresAt: now + 60_000,
  ...different,
});

type Reserve = Parameters<AiStore["reserve"]>[0];

/** Asks for a share of the user 7 for a minute, with what differs from the usual. */
export const request = (id: string, different: Partial<Reservation> = {}, rest: Partial<Reserve> = {}): Reserve => ({
  reservation: reservation(id, different),
  unit: "count",
  max: 10,
  maxStarted: null,
  days: justToday,
  now,
  ...rest,
});

/** At most 1000 tokens. */
const inTokens = { unit: "token", max: 1000 } as const;

const usage = (replies: number, tokens: number, started = replies) => ({ replies, tokens, started });

/** Asks for a share, and settles it if it is given. */
async function useUp(store: AiStore, id: string, used: ReturnType<typeof usage>, rest: Partial<Reserve> = {}) {
  const result = await store.reserve(request(id, {}, rest));
  if (result === "reserved") await store.settle({ reservationId: id, used });
  return result;
}

/** Uses something up: reserved, and settled. */
async function spend(store: AiStore, id: string, replies: number, tokens: number, on: Partial<Reservation> = {}) {
  const used = usage(replies, tokens);
  assert.equal(await store.reserve(request(id, { ...used, ...on }, { max: Number.MAX_SAFE_INTEGER })), "reserved");
  assert.equal(await store.settle({ reservationId: id, used }), true);
}

/** Promises of a storage about quotas. */
export const quotaCases: readonly StorageCase[] = defineCases("ai", {
  "nobody has an allocation before one is assigned": async ({ storage: { ai } }) => {
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

  "usage is that of its user": async ({ storage: { ai } }) => {
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

  "a share fits up to the maximum, and not one above": async ({ storage: { ai } }) => {
    await spend(ai, "spent", 4, 0);
    assert.equal(await ai.reserve(request("too much", { replies: 7 })), "exceeded");
    assert.equal(await ai.reserve(request("fits", { replies: 6 })), "reserved");
  },

  "where nothing is left, a share of nothing still fits": async ({ storage: { ai } }) => {
    await spend(ai, "spent", 10, 0);
    assert.equal(await ai.reserve(request("one more", { replies: 1 })), "exceeded");
    assert.equal(await ai.reserve(request("nothing", { replies: 0 })), "reserved");
  },

  "tokens count if they are the unit": async ({ storage: { ai } }) => {
    assert.equal(await ai.reserve(request("a", { replies: 100, tokens: 600 }, inTokens)), "reserved");
    assert.equal(await ai.reserve(request("b", { replies: 1, tokens: 401 }, inTokens)), "exceeded");
    assert.equal(await ai.reserve(request("c", { replies: 1, tokens: 400 }, inTokens)), "reserved");
  },

  "replies count if they are the unit": async ({ storage: { ai } }) => {
    assert.equal(await ai.reserve(request("a", { replies: 9, tokens: 600 }, inTokens)), "reserved");
    assert.equal(await ai.reserve(request("b", { replies: 2, tokens: 1 })), "exceeded");
    assert.equal(await ai.reserve(request("c", { replies: 1, tokens: 401 })), "reserved");
  },

  "replies are started up to their maximum, whatever the unit, and the maximum of the unit is checked first": async ({
    storage: { ai },
  }) => {
    for (const unit of ["count", "token"] as const) {
      const userId = unit === "count" ? 7 : 8;
      const start = (id: string, started: number, rest: Partial<Reserve> = {}) =>
        ai.reserve(request(`${unit} ${id}`, { userId, started }, { unit, max: 1000, maxStarted: 6, ...rest }));
      assert.equal(await start("settled", 4), "reserved");
      const used = usage(0, 5, 4);
      assert.equal(await ai.settle({ reservationId: `${unit} settled`, used }), true);
      assert.equal(await start("too many", 3), "too_many_started");
      assert.equal(await start("both", 3, { max: 0 }), "exceeded");
      assert.equal(await start("fits", 2), "reserved");
      assert.equal(await start("one more", 1), "too_many_started");
      assert.equal(await start("without limit", 1, { maxStarted: null }), "reserved");
    }
  },

  "started replies are kept, also of a share that used nothing else": async ({ storage, reopen }) => {
    await storage.ai.reserve(request("stopped", { day: "2026-11-19" }));
    await storage.ai.settle({ reservationId: "stopped", used: usage(0, 0, 1) });
    const { ai } = await reopen();
    assert.deepEqual(await ai.sumUsage(user, november), usage(0, 0, 1));
    assert.deepEqual(await ai.listUsage(user, november), [{ day: "2026-11-19", ...usage(0, 0, 1) }]);
  },

  "of 30 callers that start and stop replies exactly as many as allowed start one": async ({ storage, race }) => {
    const atMost = { max: 1000, maxStarted: 9 };
    const results = await race(30, ({ ai }, caller) => useUp(ai, `caller ${caller}`, usage(0, 1, 1), atMost));
    assert.deepEqual(countOutcomes(results), { reserved: 9, too_many_started: 21 });
    assert.deepEqual(await storage.ai.sumUsage(user, justToday), usage(0, 9, 9));
  },

  "a refused reservation sets nothing aside": async ({ storage: { ai } }) => {
    assert.equal(await ai.reserve(request("refused", { replies: 11 })), "exceeded");
    assert.equal(await ai.settle({ reservationId: "refused", used: usage(1, 1) }), false);
    assert.equal(await ai.reserve(request("all", { replies: 10 })), "reserved");
  },

  "shares of other users and of other days do not count": async ({ storage: { ai } }) => {
    await ai.reserve(request("other user", { replies: 10, userId: 8 }));
    const yesterday = { days: only("2026-11-19", today) };
    assert.equal(await ai.reserve(request("yesterday", { replies: 10, day: "2026-11-19" }, yesterday)), "reserved");
    assert.equal(await ai.reserve(request("today", { replies: 10 })), "reserved");
  },

  "shares of all days of the period count": async ({ storage: { ai } }) => {
    const month = { days: november, max: 20 };
    await ai.reserve(request("yesterday", { replies: 10, day: "2026-11-19" }, month));
    assert.equal(await ai.reserve(request("today", { replies: 10 }, month)), "reserved");
    assert.equal(await ai.reserve(request("one more", { replies: 1 }, month)), "exceeded");
  },

  "a share that expired is free again": async ({ storage: { ai } }) => {
    await ai.reserve(request("crashed", { replies: 10, expiresAt: now + 1000 }));
    assert.equal(await ai.reserve(request("early", {}, { now: now + 999 })), "exceeded");
    assert.equal(await ai.reserve(request("late", {}, { now: now + 1001 })), "reserved");
  },

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
