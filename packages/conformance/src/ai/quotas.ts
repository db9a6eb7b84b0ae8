import assert from "node:assert/strict";
import { defineCases, type StorageCase } from "../support/case.ts";
import { countOutcomes } from "../support/expect.ts";
import { now } from "../support/fixtures.ts";
import { user, today, november, only, justToday, request, inTokens, usage, useUp, spend, type Reserve } from "./kit.ts";

/** Promises of a storage about quotas. */
export const quotaCases: readonly StorageCase[] = defineCases("ai", {
  "a share fits up to the maximum, and not one above": async ({ storage: { ai } }) => {
    await spend(ai, "spent", 4, 0);
    assert.equal(await ai.reserve(request("too much", { replies: 7 })), "exceeded");
    assert.equal(await ai.reserve(request("fits", { replies: 6 })), "reserved");
  },

  "a share of zero fits even if nothing is left": async ({ storage: { ai } }) => {
    await spend(ai, "spent", 10, 0);
    assert.equal(await ai.reserve(request("one more", { replies: 1 })), "exceeded");
    assert.equal(await ai.reserve(request("nothing", { replies: 0 })), "reserved");
  },

  "a share that is reserved again takes its own place, up to the maximum": async ({ storage: { ai } }) => {
    const again = (tokens: number) => ai.reserve(request("a", { tokens }, { ...inTokens, again: true }));
    assert.equal(await ai.reserve(request("a", { tokens: 600 }, inTokens)), "reserved");
    assert.equal(await ai.reserve(request("b", { tokens: 300 }, inTokens)), "reserved");
    assert.deepEqual([await again(701), await again(700)], ["exceeded", "reserved"]);
    assert.equal(await ai.reserve(request("c", { tokens: 1 }, inTokens)), "exceeded");
    assert.equal(await again(10), "reserved");
    assert.equal(await ai.reserve(request("c", { tokens: 690 }, inTokens)), "reserved");
  },

  "a share that was settled is not reserved again": async ({ storage: { ai } }) => {
    const again = () => ai.reserve(request("a", { tokens: 1 }, { ...inTokens, again: true }));
    assert.equal(await again(), "settled");
    assert.equal(await ai.reserve(request("a", { tokens: 600 }, inTokens)), "reserved");
    assert.equal(await ai.settle({ reservationId: "a", used: usage(1, 10) }), true);
    assert.equal(await again(), "settled");
    assert.equal(await ai.settle({ reservationId: "a", used: usage(1, 10) }), false);
  },

  "of 30 shares that are reserved again for the last 70 tokens exactly 7 get 10 of them": async ({ storage, race }) => {
    const ids = Array.from({ length: 30 }, (_, index) => `share ${index}`);
    for (const id of ids) await storage.ai.reserve(request(id, { tokens: 31 }, inTokens));
    const results = await race(30, ({ ai }, caller) =>
      ai.reserve(request(`share ${caller}`, { tokens: 41 }, { ...inTokens, again: true })),
    );
    assert.deepEqual(countOutcomes(results), { reserved: 7, exceeded: 23 });
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

  "replies are started up to their maximum, regardless of the unit, and the maximum of the unit is checked first":
    async ({ storage: { ai } }) => {
      for (const unit of ["count", "token"] as const) {
        const userId = unit === "count" ? 7 : 8;
        const start = (id: string, started: number, rest: Partial<Reserve> = {}) =>
          ai.reserve(request(`${unit} ${id}`, { userId, started }, { unit, max: 1000, maxStarted: 6, ...rest }));
        assert.equal(await start("settled", 4), "reserved");
        assert.equal(await ai.settle({ reservationId: `${unit} settled`, used: usage(0, 5, 4) }), true);
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
});
