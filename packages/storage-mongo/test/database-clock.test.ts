import { createManualClock } from "@telex/conformance/testing";
import type { Document } from "mongodb";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createBatches } from "../src/batches/batches.ts";
import { createWriteDocuments } from "../src/driver/bulk-writes.ts";
import { connect } from "../src/driver/connect.ts";
import { startDatabaseClock } from "../src/clock/database-clock.ts";
import { collectionOf } from "../src/driver/collections.ts";
import { createServerNumber } from "../src/clock/server-number.ts";
import { createSessions } from "../src/batches/sessions.ts";
import { createErrands } from "../src/batches/errands.ts";
import { createTurns } from "../src/batches/turns.ts";
import { newDatabase } from "./support/database.ts";

const minutes = 60_000;

/** A server and a database whose clocks a test controls. */
function createTimes() {
  const manual = createManualClock();
  let [suspended, set, asked] = [0, 0, 0];
  /** Runs after the database has read its clock, and before its response. */
  let onAnswer = (): void | Promise<void> => undefined;
  const database = (): number => manual.now() + suspended;
  const command = async (): Promise<Document> => {
    asked += 1;
    const localTime = new Date(database());
    await onAnswer();
    return { localTime };
  };
  return {
    database,
    asked: () => asked,
    /** Time passes, but the counter of milliseconds stands still. */
    suspend: (time: number) => void (suspended += time),
    /** Time passes, but all clocks of the server stand still. */
    pause(time: number): void {
      suspended += time;
      set -= time;
    },
    /** An operator sets the clock of the server. */
    set: (by: number) => void (set += by),
    /** Time passes. */
    pass: (time: number) => manual.advance(time),
    /** Runs this before each later response. */
    onAnswer: (happens: () => void | Promise<void>) => void (onAnswer = happens),
    async start() {
      const clock = { ...manual, now: () => database() + set };
      const time = await startDatabaseClock({ db: { command }, clock, counter: () => manual.now(), log: null });
      onTestFinished(time.end);
      return time;
    },
  };
}

describe("the time of the database, as a server knows it", () => {
  it("is asked for again before the first answer after the machine was suspended, once for all callers", async () => {
    const times = createTimes();
    const time = await times.start();
    times.suspend(10 * minutes);
    expect(await Promise.all([time.now(), time.now(), time.ahead()])).toEqual([times.database(), times.database(), 0]);
    expect(times.asked()).toBe(2);
    expect(await time.now()).toBe(times.database());
    expect(times.asked()).toBe(2);
  });

  it("is not answered while the database cannot be asked after that", async () => {
    const times = createTimes();
    const time = await times.start();
    times.suspend(10 * minutes);
    times.onAnswer(() => Promise.reject(new Error("The database is away.")));
    await expect(time.now()).rejects.toThrow("The database is away.");
    await expect(time.ahead()).rejects.toThrow("The database is away.");
    times.onAnswer(() => undefined);
    expect(await time.now()).toBe(times.database());
  });

  it("is asked for again if the machine was suspended between the question and the answer", async () => {
    const times = createTimes();
    let isFirst = true;
    times.onAnswer(() => {
      if (isFirst) times.suspend(10 * minutes);
      isFirst = false;
    });
    const time = await times.start();
    expect([await time.now(), await time.ahead()]).toEqual([times.database(), 0]);
    expect(times.asked()).toBe(2);
  });

  it("is asked for again if the database has written something later, as after a pause of a virtual machine", async () => {
    const times = createTimes();
    const time = await times.start();
    times.pause(5 * minutes);
    expect(await time.now()).toBe(times.database() - 5 * minutes);
    expect(await time.wasLate(times.database() - 5000)).toBe(true);
    expect(await time.now()).toBe(times.database());
    expect(await time.wasLate(times.database())).toBe(false);
    expect(times.asked()).toBe(2);
  });

  it("is the answer of the database after such a pause, even if it is late", async () => {
    const times = createTimes();
    const time = await times.start();
    times.pause(5 * minutes);
    times.onAnswer(() => times.pass(3000));
    expect(await time.wasLate(times.database())).toBe(true);
    expect(await time.now()).toBe(times.database() - 3000);
  });

  it("is not an answer from before such a pause that arrives after it", async () => {
    const times = createTimes();
    const time = await times.start();
    const [asked, arrives] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    times.onAnswer(async () => {
      asked.resolve(undefined);
      await arrives.promise;
    });
    await times.pass(minutes);
    await asked.promise;
    times.pause(5 * minutes);
    times.onAnswer(() => undefined);
    const wasLate = Promise.all([time.wasLate(times.database()), time.wasLate(times.database())]);
    arrives.resolve(undefined);
    expect(await wasLate).toEqual([true, true]);
    expect(await time.now()).toBe(times.database());
    // At the start, after a minute, and once for both callers.
    expect(times.asked()).toBe(3);
  });

  it("is asked for once if the database writes times that are ahead of its clock", async () => {
    const times = createTimes();
    const time = await times.start();
    expect(await time.wasLate(times.database() + minutes)).toBe(false);
    expect(await time.wasLate(times.database() + minutes)).toBe(false);
    expect(times.asked()).toBe(2);
    expect(await time.now()).toBe(times.database());
  });

  it("does not change when the clock of the server is set, and knows how far that clock is ahead", async () => {
    const times = createTimes();
    const time = await times.start();
    times.set(60 * minutes);
    expect([await time.now(), await time.ahead()]).toEqual([times.database(), 60 * minutes]);
    times.set(-60 * minutes);
    expect([await time.now(), await time.ahead()]).toEqual([times.database(), 0]);
  });

  it("says nothing against the clock of the server if the first answer was late, and is asked for again a second later", async () => {
    const times = createTimes();
    times.onAnswer(() => times.pass(8000));
    const time = await times.start();
    expect([await time.now(), await time.ahead()]).toEqual([times.database() - 8000, 0]);
    times.onAnswer(() => undefined);
    await times.pass(1000);
    expect([await time.now(), await time.ahead()]).toEqual([times.database(), 0]);
    expect(times.asked()).toBe(2);
  });

  it("says by how much the clock of the server is at least ahead if the first answer was late", async () => {
    const times = createTimes();
    times.set(20_000);
    times.onAnswer(() => times.pass(8000));
    const time = await times.start();
    expect(await time.ahead()).toBe(20_000);
    times.set(-17_000);
    times.onAnswer(() => undefined);
    expect(await time.ahead()).toBe(3000);
  });

  it("does not change after a late answer", async () => {
    const times = createTimes();
    const time = await times.start();
    times.onAnswer(() => times.pass(8000));
    await times.pass(minutes);
    expect([await time.now(), await time.ahead()]).toEqual([times.database(), 0]);
    expect(times.asked()).toBe(2);
  });
});

/** Runs a transaction with an id that increments a number, until it is committed. Returns the number of runs, and the number. */
async function addOnce(wasLate: (written: number) => boolean) {
  const { client, db } = await connect({ url: newDatabase() });
  const clock = createManualClock();
  const time = {
    now: () => Promise.resolve(Date.now()),
    wasLate: (written: number) => Promise.resolve(wasLate(written)),
  };
  const sessions = createSessions(client, db, { clock, time });
  const errands = createErrands(db, time);
  const turns = createTurns(db, clock, errands);
  const batches = createBatches({
    sessions,
    db,
    writeDocuments: createWriteDocuments(db),
    now: () => clock.now(),
    time,
    timeout: 60_000,
    turns,
    errands,
  });
  onTestFinished(async () => {
    await sessions.close();
    await client.close();
  });
  await collectionOf(db, "counters").insertOne({ _id: "runs", name: "user", value: 0 });
  let runs = 0;
  await batches.write("root", async (tx) => {
    runs += 1;
    tx.noteId();
    const before = (await tx.find("counters", "runs"))?.value ?? 0;
    tx.put("counters", { _id: "runs", name: "user", value: before + 1 });
  });
  return { runs, value: (await collectionOf(db, "counters").findOne({ _id: "runs" }))?.value };
}

it("a transaction with ids of a late time is not committed, but run again", async () => {
  const late = [true, false];
  const seen: number[] = [];
  const added = await addOnce((written) => {
    seen.push(written);
    return late.shift() ?? false;
  });
  expect(added).toEqual({ runs: 2, value: 1 });
  // The response contains the time of the last write.
  for (const written of seen) expect(Math.abs(written - Date.now())).toBeLessThan(minutes);
});

it("a transaction whose ids became too old during a check of the clock is not committed, but run again", async () => {
  const now = performance.now.bind(performance);
  let passed = 0;
  const counting = vi.spyOn(performance, "now").mockImplementation(() => now() + passed);
  onTestFinished(() => counting.mockRestore());
  const looks = [3500, 0];
  const added = await addOnce(() => {
    passed += looks.shift() ?? 0;
    return false;
  });
  expect(added).toEqual({ runs: 2, value: 1 });
});

it("a server that was suspended no longer uses a number that another one may have", async () => {
  const { client, db } = await connect({ url: newDatabase() });
  onTestFinished(() => client.close());
  const leases = collectionOf(db, "leases");
  let now = Date.now();
  const number = createServerNumber(leases, createManualClock(), { now: () => Promise.resolve(now) });
  const before = await number.current();
  expect(await number.current()).toBe(before);
  now += 10 * minutes;
  const taken = { $set: { holder: "another", until: now + minutes } };
  await leases.updateOne({ _id: `server/${before}` }, taken);
  expect(await number.current()).not.toBe(before);
});
