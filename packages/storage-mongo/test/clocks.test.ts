import { systemClock } from "@telex/core";
import { createLogCollector, createManualClock } from "@telex/core/testing";
import type { Document } from "mongodb";
import { describe, expect, it } from "vitest";
import { startClockCheck } from "../src/clock-check.ts";
import { messageIn, newDatabase, openStorage } from "./support/database.ts";

/** A server whose clock is wrong by so many milliseconds. */
async function openWrong(ahead: number) {
  const log = createLogCollector();
  const clock = { ...systemClock, now: () => systemClock.now() + ahead };
  const storage = await openStorage({ url: newDatabase(), clock, log });
  return { storage, warnings: () => log.lines.filter((line) => line.includes("storage.clock_wrong")) };
}

describe("a server whose clock differs from that of the database", () => {
  it.each([
    { ahead: 20_000, words: "ahead of" },
    { ahead: -20_000, words: "behind" },
  ])("by $ahead ms says so in its log, and is not ready", async ({ ahead, words }) => {
    const { storage, warnings } = await openWrong(ahead);
    expect(warnings()).toEqual([expect.stringContaining("The clock of this server is ") as unknown]);
    const refused: unknown = await storage.probe().catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: "storage_unavailable",
      cause: { message: expect.stringContaining(` s ${words} that of MongoDB`) as unknown },
    });
  });

  it("by eight seconds says so, and works", async () => {
    const { storage, warnings } = await openWrong(8000);
    expect(warnings()).toHaveLength(1);
    await storage.probe();
  });

  it("by nothing that matters says nothing", async () => {
    const { storage, warnings } = await openWrong(1000);
    await storage.probe();
    expect(warnings()).toEqual([]);
  });

  it("by much does not end sessions of servers that it takes for gone", async () => {
    // Its time stands still, days before that of the database.
    const clock = createManualClock();
    const { messages, connection } = await openStorage({ url: newDatabase(), clock });
    await messages.append(messageIn(7, "hello"));
    const sessions = connection.db.collection<{ _id: string; ids: unknown[]; until: number }>("sessions");
    await sessions.insertOne({ _id: "gone", ids: [], until: clock.now() - 60_000 });
    const ownEnd = async () => (await sessions.findOne({ _id: { $ne: "gone" } }))?.until;
    // The second look begins when the first one has ended.
    for (let look = 0; look < 2; look += 1) {
      const before = await ownEnd();
      while ((await ownEnd()) === before) await clock.advance(2000);
    }
    expect(await sessions.countDocuments({ _id: "gone" })).toBe(1);
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
  const check = await startClockCheck({ db: { command }, clock, log: null });
  await clock.advance(60_000);
  check.end();
  resolve({});
  await clock.advance(60_000);
  await clock.advance(60_000);
  expect(asked).toBe(2);
});
