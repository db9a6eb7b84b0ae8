import { systemClock } from "@telex/core";
import { createLogCollector, createManualClock } from "@telex/conformance/testing";
import type { Document } from "mongodb";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { startDatabaseClock } from "../src/clock/database-clock.ts";
import { serverNumbers } from "../src/clock/server-number.ts";
import { messageIn, newDatabase, openStorage } from "./support/database.ts";

/** A server whose clock is wrong by this number of milliseconds. */
async function openWrong(url: string, ahead: number) {
  const log = createLogCollector();
  const clock = { ...systemClock, now: () => systemClock.now() + ahead };
  const storage = await openStorage({ url, clock, log });
  return { storage, warnings: () => log.lines.filter((line) => line.includes("storage.clock_wrong")) };
}

describe("a server whose clock differs from that of the database", () => {
  it.each([
    { ahead: 20_000, words: "ahead of" },
    { ahead: -20_000, words: "behind" },
  ])("by $ahead ms says so in its log, and is not ready", async ({ ahead, words }) => {
    const { storage, warnings } = await openWrong(newDatabase(), ahead);
    expect(warnings()).toEqual([expect.stringContaining("The clock of this server is ") as unknown]);
    const refused: unknown = await storage.probe().catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: "storage_unavailable",
      cause: { message: expect.stringContaining(` s ${words} that of MongoDB`) as unknown },
    });
  });

  it("by eight seconds says so, and works", async () => {
    const { storage, warnings } = await openWrong(newDatabase(), 8000);
    expect(warnings()).toHaveLength(1);
    await storage.probe();
  });

  it("by nothing that matters says nothing", async () => {
    const { storage, warnings } = await openWrong(newDatabase(), 1000);
    await storage.probe();
    expect(warnings()).toEqual([]);
  });

  it.each([{ ahead: 20_000 }, { ahead: -20_000 }])(
    "by $ahead ms ends the sessions of servers that are gone, and of no other",
    async ({ ahead }) => {
      const manual = createManualClock();
      const clock = {
        now: () => systemClock.now() + ahead,
        after: (delay: number, run: () => void) => manual.after(delay, run),
      };
      const { messages, connection } = await openStorage({ url: newDatabase(), clock });
      await messages.append(messageIn(7, "hello"));
      const sessions = connection.db.collection<{ _id: string; ids: unknown[]; until: number }>("sessions");
      const other = await sessions.findOne();
      const begun = systemClock.now();
      // Too old by a clock that is ahead, but not because the test is slow.
      const lives = { _id: "lives", ids: [], until: begun + 15_000 };
      await sessions.insertMany([{ _id: "gone", ids: [], until: begun - 6000 }, lives]);
      while ((await sessions.countDocuments({ _id: "gone" })) > 0) await manual.advance(2000);
      expect(await sessions.countDocuments({ _id: "lives" })).toBe(1);
      // Its sign of life has a time of the database.
      expect(Math.abs((other?.until ?? 0) - begun)).toBeLessThan(10_000);
    },
  );

  it("by much takes no number that another server has", async () => {
    const url = newDatabase();
    const right = await openStorage({ url });
    const { storage } = await openWrong(url, 60_000);
    const taken = Array.from({ length: serverNumbers }, (_, number) => ({
      _id: `server/${number}`,
      holder: "another",
      until: systemClock.now() + 30_000,
    }));
    await right.connection.db.collection<{ _id: string }>("leases").insertMany(taken);
    await expect(storage.messages.append(messageIn(7, "hello"))).rejects.toMatchObject({ code: "storage_unavailable" });
  });

  it("by an hour gives ids as the others do", async () => {
    const url = newDatabase();
    const [right, { storage: wrong }] = [await openStorage({ url }), await openWrong(url, 3_600_000)];
    const ids: number[] = [];
    for (const [room, { messages }] of [wrong, right, wrong].entries()) {
      const appended = await messages.append(messageIn(room + 1, "hello"));
      ids.push(appended.outcome === "appended" ? appended.message.id : 0);
    }
    expect(ids[1]).toBeGreaterThan(ids[0] ?? 0);
    expect(ids[2]).toBeGreaterThan(ids[1] ?? 0);
  });

  it("has and leaves leases as long as the others", async () => {
    const url = newDatabase();
    const [{ storage: slow }, { storage: fast }] = [await openWrong(url, -20_000), await openWrong(url, 20_000)];
    const life = 30_000;
    const takeAt = ({ leases }: typeof slow, holder: string, now: number) =>
      leases.takeLease({ name: "work", holder, now, until: now + life, note: "" });
    const begun = systemClock.now();
    expect(await takeAt(slow, "slow", begun - 20_000)).toMatchObject({ until: begun - 20_000 + life });
    expect(await takeAt(fast, "fast", begun + 20_000)).toBeNull();
    const [seen] = await fast.leases.listLeases("work");
    expect(Math.abs((seen?.until ?? 0) - (begun + 20_000 + life))).toBeLessThan(5000);
    await slow.leases.touchLease({ name: "work", fence: 1, until: begun - 20_000 + 2 * life, note: "" });
    expect(await takeAt(fast, "fast", begun + 20_000 + life)).toBeNull();
    expect(await takeAt(fast, "fast", begun + 25_000 + 2 * life)).toMatchObject({ holder: "fast" });
  });

  it("holds texts for a device as long as the others", async () => {
    const url = newDatabase();
    const [{ storage: slow }, { storage: fast }] = [await openWrong(url, -20_000), await openWrong(url, 20_000)];
    const [device, life, begun] = [{ deviceId: "printer", owner: 7 }, 30_000, systemClock.now()];
    const text = { direction: "to_device", content: "print this", nonce: null, nonceLife: 1, queueLimit: 10 } as const;
    await slow.teleprinter.claimDevice({ ...device, name: "Printer", now: begun - 20_000 });
    await slow.teleprinter.append({ ...device, ...text, now: begun - 20_000 });
    const takeAt = async ({ teleprinter }: typeof slow, holder: string, now: number) => {
      const taken = await teleprinter.take({ ...device, limit: 10, holder, now, until: now + life });
      return taken.outcome === "taken" ? taken.messages.map(({ id }) => id) : [];
    };
    const [id = 0] = await takeAt(slow, "slow", begun - 20_000);
    expect(await takeAt(fast, "fast", begun + 20_000)).toEqual([]);
    const acknowledged = await fast.teleprinter.acknowledge({ ...device, upTo: id, limit: 10, now: begun + 20_000 });
    expect(acknowledged).toEqual({ outcome: "held", holder: "slow" });
    await slow.teleprinter.renew({ deviceId: "printer", holder: "slow", until: begun - 20_000 + 2 * life });
    expect(await takeAt(fast, "fast", begun + 20_000 + life)).toEqual([]);
    expect(await takeAt(fast, "fast", begun + 25_000 + 2 * life)).toEqual([id]);
  });

  it("reserves shares of quotas as long as the others", async () => {
    const url = newDatabase();
    const [{ storage: slow }, { storage: fast }] = [await openWrong(url, -20_000), await openWrong(url, 20_000)];
    const [life, begun] = [30_000, systemClock.now()];
    const share = { userId: 7, day: "2026-11-20", replies: 1, tokens: 10, started: 1 };
    const quota = { unit: "count", max: 1, maxStarted: null, days: { from: "2026-11-01", to: "2026-12-01" } } as const;
    const reserveAt = ({ ai }: typeof slow, reservationId: string, now: number) =>
      ai.reserve({ ...quota, reservation: { ...share, reservationId, expiresAt: now + life }, now });
    expect(await reserveAt(slow, "slow", begun - 20_000)).toBe("reserved");
    expect(await reserveAt(fast, "fast", begun + 20_000)).toBe("exceeded");
    expect(await fast.ai.settleExpired({ now: begun + 20_000, limit: 10 })).toBe(0);
    const soFar = { used: { replies: 1, tokens: 1, started: 1 }, turn: null };
    await slow.ai.touchReservation({ reservationId: "slow", expiresAt: begun - 20_000 + 2 * life, soFar });
    expect(await fast.ai.settleExpired({ now: begun + 20_000 + life, limit: 10 })).toBe(0);
    expect(await fast.ai.settleExpired({ now: begun + 25_000 + 2 * life, limit: 10 })).toBe(1);
  });
});

it("a look at the clock that is in progress at the end is the last one", async () => {
  const clock = createManualClock();
  const { promise: held, resolve } = Promise.withResolvers<Document>();
  let asked = 0;
  const command = (): Promise<Document> => {
    asked += 1;
    return asked === 2 ? held : Promise.resolve({ localTime: new Date(clock.now()) });
  };
  const check = await startDatabaseClock({ db: { command }, clock, counter: () => clock.now(), log: null });
  await clock.advance(60_000);
  check.end();
  resolve({});
  await clock.advance(60_000);
  await clock.advance(60_000);
  expect(asked).toBe(2);
});

it("looks at the clock again after a question that the driver never ends", async () => {
  const clock = createManualClock();
  let asked = 0;
  const command = (): Promise<Document> => {
    asked += 1;
    return asked === 2
      ? Promise.withResolvers<Document>().promise
      : Promise.resolve({ localTime: new Date(clock.now()) });
  };
  const check = await startDatabaseClock({ db: { command }, clock, log: null });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => {
    check.end();
    vi.useRealTimers();
  });
  await clock.advance(60_000);
  expect(asked).toBe(2);
  await vi.advanceTimersByTimeAsync(60_000);
  await clock.advance(60_000);
  expect(asked).toBe(3);
});
