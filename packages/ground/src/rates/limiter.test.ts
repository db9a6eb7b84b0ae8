import { describe, expect, it } from "vitest";
import { anonymous, type Caller } from "../contract/caller.ts";
import { systemClock } from "../time/clock.ts";
import { createManualClock } from "@telex/conformance/testing";
import { createRatePeers } from "./peers.ts";
import { createRateLimiter } from "./limiter.ts";

const holder = (tokenId: number | null, userId = 1): Caller => ({
  kind: "token",
  userId,
  tokenId,
  scopes: ["chat"],
  expiresAt: null,
});

function limiter(entries = 100) {
  let now = 0;
  const limits = { token: { burst: 2, perMinute: 60 }, address: { burst: 10, perMinute: 60 } };
  const rates = createRateLimiter(limits, {
    clock: { ...systemClock, now: () => now },
    limits: { rateEntries: entries },
  });
  const allows = (caller: Caller, address: string | null = null, cost = 1): boolean =>
    rates.count(caller, () => address, cost).refusal === null;
  return { rates, allows, pass: (milliseconds: number) => void (now += milliseconds) };
}

describe("a rate", () => {
  it("belongs to one token, or to one user if tokens have no name", () => {
    const { allows } = limiter();
    expect([1, 1, 1, 2].map((id) => allows(holder(id)))).toEqual([true, true, false, true]);
    expect([7, 7, 7, 8].map((user) => allows(holder(null, user)))).toEqual([true, true, false, true]);
  });

  it("refills with time, never above its burst", () => {
    const { allows, pass } = limiter();
    pass(1_000_000);
    expect([allows(holder(1)), allows(holder(1)), allows(holder(1))]).toEqual([true, true, false]);
    pass(1000);
    expect([allows(holder(1)), allows(holder(1))]).toEqual([true, false]);
    pass(-5000);
    expect(allows(holder(1))).toBe(false);
  });

  it("of an address counts the cost of a call", () => {
    const { rates, allows } = limiter();
    expect(allows(anonymous, "192.0.2.1", 8)).toBe(true);
    const { refusal, state } = rates.count(anonymous, () => "192.0.2.1", 5);
    expect(refusal).toMatchObject({ code: "rate_limited", retryAfter: 3 });
    expect(state).toEqual({ policy: "address", rate: { burst: 10, perMinute: 60 }, left: 2 });
    expect(allows(anonymous, "192.0.2.2", 8)).toBe(true);
  });

  it("is one for a /64 of IPv6", () => {
    const { allows } = limiter();
    expect(allows(anonymous, "2001:db8::1", 8)).toBe(true);
    expect(allows(anonymous, "2001:db8::2", 8)).toBe(false);
    expect(allows(anonymous, "2001:db8:0:1::2", 8)).toBe(true);
  });

  it("of a call with higher costs makes the next ones wait, at most for one burst", () => {
    const { rates, allows, pass } = limiter();
    expect(allows(holder(1))).toBe(true);
    rates.charge(holder(1), () => null, 1000);
    pass(2900);
    expect(allows(holder(1))).toBe(false);
    pass(200);
    expect(allows(holder(1))).toBe(true);
    rates.charge(anonymous, () => null, 1000);
  });

  it("is refunded, at most up to its burst", () => {
    const { rates, allows } = limiter();
    while (allows(holder(1)));
    rates.charge(holder(1), () => null, -1);
    expect([allows(holder(1)), allows(holder(1))]).toEqual([true, false]);
    rates.charge(holder(2), () => null, -1000);
    let allowed = 0;
    while (allows(holder(2))) allowed += 1;
    let others = 0;
    while (allows(holder(3))) others += 1;
    expect(allowed).toBe(others);
  });

  it("is refunded only as far as it was counted, if the rate had less left", () => {
    const { rates, allows } = limiter();
    let burst = 0;
    while (allows(holder(1))) burst += 1;
    for (const expected of [burst, 0]) {
      const counted = rates.charge(holder(1), () => null, 1000);
      expect(counted).toBe(expected);
    }
    expect(rates.charge(holder(1), () => null, -burst)).toBe(-burst);
    expect(allows(holder(1))).toBe(false);
    expect(rates.charge(holder(1), () => null, -1000)).toBe(-burst);
    expect(rates.charge(anonymous, () => null, 1)).toBe(0);
  });

  it("is remembered for a limited number of callers", () => {
    const { allows } = limiter(2);
    for (const id of [1, 1, 2, 3]) allows(holder(id));
    expect(allows(holder(1))).toBe(true);
  });
});

/** Servers that share rates. An event arrives after 5 ms, or never. */
function servers(count: number, isLost = false) {
  const clock = createManualClock();
  const limits = { token: { burst: 100, perMinute: 60 }, address: { burst: 10, perMinute: 60 } };
  const events: number[] = [];
  const all = Array.from({ length: count }, () => {
    const { peers, heard } = createRatePeers((uses) => {
      events.push(uses.length);
      if (isLost) return;
      clock.after(5, () => {
        for (const other of all) if (other.peers !== peers) other.heard(uses);
      });
    });
    const rates = createRateLimiter(limits, { clock, limits: { rateEntries: 100 }, ratePeers: peers });
    const allows = (id: number, cost = 1): boolean => rates.count(holder(id), () => null, cost).refusal === null;
    return { peers, heard, rates, allows };
  });
  /** Calls each server once per millisecond until all have refused for 100 ms. Resolves with the number of allowed calls. */
  const exhaust = async (id: number): Promise<number> => {
    let allowed = 0;
    for (let refused = 0; refused < 100; refused += 1) {
      for (const { allows } of all) {
        if (!allows(id)) continue;
        allowed += 1;
        refused = 0;
      }
      await clock.advance(1);
    }
    return allowed;
  };
  return { clock, all, events, exhaust };
}

describe("a rate of several servers", () => {
  it.each([2, 3, 8])("is little more than that of one server, for %d servers", async (count) => {
    const { exhaust, clock } = servers(count);
    const begun = clock.now();
    const allowed = await exhaust(1);
    const rate = 100 + (clock.now() - begun) / 1000;
    // A caller that calls all servers every millisecond gets the additional calls of the 10 ms until the others know of them.
    expect(allowed).toBeLessThanOrEqual(Math.ceil(rate + 10 * (count - 1)));
    expect(allowed).toBeGreaterThanOrEqual(Math.floor(rate));
  });

  it("is exact for a caller with sequential calls", async () => {
    const { all, clock } = servers(3);
    let allowed = 0;
    for (let call = 0; call < 150; call += 1) {
      allowed += Number(all[call % 3]?.allows(1));
      await clock.advance(30);
    }
    const given = (150 * 30) / 1000;
    expect(allowed).toBeGreaterThanOrEqual(100);
    expect(allowed).toBeLessThanOrEqual(100 + given + 10);
  });

  it("counts on the other servers the uses of a caller before it became busy", async () => {
    const { all, clock } = servers(2);
    const [first, second] = all;
    for (let call = 0; call < 9; call += 1) first?.allows(1);
    await clock.advance(100);
    for (let call = 0; call < 91; call += 1) expect(second?.allows(1)).toBe(true);
    await clock.advance(100);
    expect([first?.allows(1), second?.allows(1)]).toEqual([false, false]);
  });

  it("costs no event for callers who use a tenth of it, and one event for many callers who use more", async () => {
    const { all, clock, events } = servers(2);
    const [first] = all;
    for (let id = 1; id <= 5; id += 1) for (let call = 0; call < 9; call += 1) first?.allows(id);
    await clock.advance(1000);
    expect(events).toEqual([]);
    for (let id = 1; id <= 5; id += 1) for (let call = 0; call < 50; call += 1) first?.allows(id);
    await clock.advance(1000);
    expect(events).toEqual([5]);
  });

  it("refunds on every server", async () => {
    const { all, clock } = servers(2);
    const [first, second] = all;
    for (let call = 0; call < 100; call += 1) first?.allows(1);
    await clock.advance(100);
    first?.rates.charge(holder(1), () => null, -50);
    await clock.advance(100);
    for (let call = 0; call < 50; call += 1) expect(second?.allows(1)).toBe(true);
    expect(second?.allows(1)).toBe(false);
  });

  it("is separate for each server while the bus loses all events", async () => {
    const { exhaust } = servers(2, true);
    expect(await exhaust(1)).toBe(200);
  });
});
