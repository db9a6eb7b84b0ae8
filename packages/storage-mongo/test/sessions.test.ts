import { createManualClock, until } from "@telex/conformance/testing";
import type { ClientSession, Db, MongoClient } from "mongodb";
import { describe, expect, it, onTestFinished } from "vitest";
import { connect } from "../src/driver/connect.ts";
import { collectionOf } from "../src/driver/collections.ts";
import { createSessions } from "../src/batches/sessions.ts";
import { again } from "./support/again.ts";
import { startCuttingProxy } from "./support/cutting-proxy.ts";
import { messageIn, newDatabase, openStorage } from "./support/database.ts";
import { openNetwork } from "./support/proxy.ts";

const contentsIn = async ({ messages }: Awaited<ReturnType<typeof openStorage>>, groupId: number) =>
  (await messages.page({ groupId, before: null, limit: 10 })).messages.map(({ content }) => content);

it("uncommitted writes of a killed server block the others only until they notice that it is gone", async () => {
  const database = newDatabase();
  const proxy = await startCuttingProxy(database);
  const killed = await openStorage({ url: proxy.url, timeout: 3000 });
  await killed.messages.append(messageIn(7, "before"));
  proxy.loseAt("commitTransaction");
  await expect(killed.messages.append(messageIn(7, "lost"))).rejects.toMatchObject({ code: "storage_unavailable" });
  const other = await openStorage({ url: database, timeout: 30_000 });
  // As if a minute had passed since its last sign of life.
  await other.connection.db.collection("sessions").updateMany({}, { $inc: { until: -60_000 } });
  expect(await other.messages.append(messageIn(7, "after"))).toMatchObject({ outcome: "appended" });
  expect(await contentsIn(other, 7)).toEqual(["after", "before"]);
});

it("a server is taken for gone four seconds after its last sign of life, and not before", async () => {
  const { client, db } = await connect({ url: newDatabase() });
  onTestFinished(() => client.close());
  const things = await db.createCollection("things");
  const clock = createManualClock();
  const time = { now: () => Promise.resolve(clock.now()) };
  const killed = createSessions(client, db, { clock: createManualClock(), time });
  const [written, gone] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  const lost = killed.use(async (session) => {
    session.startTransaction();
    await things.insertOne({}, { session });
    written.resolve(undefined);
    await gone.promise;
    await session.commitTransaction();
  });
  await written.promise;
  const other = createSessions(client, db, { clock, time });
  onTestFinished(() => other.close());
  /** Lets the other server check once. */
  const lookAfter = async (wait: number) => {
    await clock.advance(wait);
    await until(() => clock.waiting().length === 1);
    return db.collection("sessions").countDocuments();
  };
  expect([await lookAfter(3000), await lookAfter(1000), await lookAfter(1000)]).toEqual([1, 1, 0]);
  gone.resolve(undefined);
  await expect(lost).rejects.toMatchObject({ code: 251, codeName: "NoSuchTransaction" });
});

it("after the database was away, the others have four seconds for a sign of life", async () => {
  const { client, db } = await connect({ url: newDatabase() });
  const known = collectionOf(db, "sessions");
  const clock = createManualClock();
  let isAway = false;
  const now = () => (isAway ? Promise.reject(new Error("The database is away.")) : Promise.resolve(clock.now()));
  const sessions = createSessions(client, db, { clock, time: { now } });
  onTestFinished(async () => {
    await sessions.close();
    await client.close();
  });
  await sessions.use(() => Promise.resolve());
  /** Checks once, and returns the servers that count as alive. */
  const look = async (): Promise<string> => {
    await clock.advance(1000);
    await until(() => clock.waiting().length === 1);
    return (await known.find({ _id: { $in: ["alive", "gone"] } }).toArray()).map(({ _id }) => _id).join(" ");
  };
  await look();
  await known.insertMany(["alive", "gone"].map((_id) => ({ _id, ids: [], until: clock.now() + 4000, rev: 1 })));
  isAway = true;
  for (let second = 0; second < 30; second += 1) await look();
  isAway = false;
  expect([await look(), await look()]).toEqual(["alive gone", "alive gone"]);
  await known.updateOne({ _id: "alive" }, { $set: { until: clock.now() + 60_000 } });
  expect([await look(), await look(), await look()]).toEqual(["alive gone", "alive gone", "alive"]);
});

it("a database user without the right to end sessions is logged, with the right to grant", async () => {
  const warnings: (string | undefined)[] = [];
  const log = {
    info() {},
    error() {},
    warn: (event: string, fields?: Readonly<Record<string, unknown>>) =>
      void warnings.push(event, String(fields?.["hint"])),
  };
  const { connection } = await openStorage({ url: newDatabase(), log });
  expect(warnings).toEqual([]);
  const admin = connection.client.db("admin");
  const data = { appName: "telex", failCommands: ["killSessions"], errorCode: 13 };
  await admin.command({ configureFailPoint: "failCommand", mode: "alwaysOn", data });
  onTestFinished(() => void admin.command({ configureFailPoint: "failCommand", mode: "off" }).catch(() => undefined));
  await openStorage({ url: newDatabase(), log });
  await admin.command({ configureFailPoint: "failCommand", mode: "off" });
  expect(warnings).toEqual(["storage.sessions_not_ended", expect.stringContaining("killAnySession")]);
});

/** The registered sessions of a server, in hexadecimal digits. */
async function writtenIn(db: Db): Promise<readonly string[]> {
  const servers = await collectionOf(db, "sessions").find().toArray();
  return servers.flatMap(({ ids }) => ids.map((id) => id.toString("hex")));
}

const idOf = ({ id }: ClientSession): string => id?.id.toString("hex") ?? "";

it("a new session stays written down if a renewal that began before it arrives after it", async () => {
  const proxy = await startCuttingProxy(newDatabase());
  const { client, db } = await connect({ url: proxy.url });
  const clock = createManualClock();
  const sessions = createSessions(client, db, { clock, time: { now: () => Promise.resolve(clock.now()) } });
  onTestFinished(async () => {
    await sessions.close();
    await client.close();
  });
  await sessions.use(async (first) => {
    const held = proxy.holdAt("update");
    await clock.advance(1000);
    const sendOn = await held;
    await sessions.use(async (second) => {
      sendOn();
      // The next check is planned when this one has ended.
      await until(() => clock.waiting().length === 1);
      expect(await writtenIn(db)).toEqual([idOf(first), idOf(second)]);
    });
  });
});

it("a session that could not be written down is written down by its next transaction", async () => {
  const { client, db } = await connect({ url: newDatabase() });
  let isAway = true;
  const now = () => (isAway ? Promise.reject(new Error("The database is away.")) : Promise.resolve(1));
  const sessions = createSessions(client, db, { clock: createManualClock(), time: { now } });
  onTestFinished(async () => {
    await sessions.close();
    await client.close();
  });
  await expect(sessions.use(() => Promise.resolve())).rejects.toThrow("The database is away.");
  isAway = false;
  await sessions.use(async (session) => expect(await writtenIn(db)).toEqual([idOf(session)]));
});

// Without ids, the database would end all sessions.
it("nothing is ended for a server that is gone and had no sessions", async () => {
  const proxy = await startCuttingProxy(newDatabase());
  const { client, db } = await connect({ url: proxy.url });
  const known = collectionOf(db, "sessions");
  await known.insertOne({ _id: "gone", ids: [], until: 0, rev: 1 });
  const clock = createManualClock();
  const sessions = createSessions(client, db, { clock, time: { now: () => Promise.resolve(1) } });
  onTestFinished(async () => {
    await sessions.close();
    await client.close();
  });
  await clock.advance(1000);
  await until(() => clock.waiting().length === 1);
  expect([await known.countDocuments(), proxy.seen.includes("killSessions")]).toEqual([0, false]);
});

describe("whether another server is there", () => {
  /** A server with its own clock: the test decides when it gives signs of life and checks for those of others. */
  const join = (client: MongoClient, db: Db, time: Parameters<typeof createSessions>[2]["time"]) => {
    const clock = createManualClock();
    const sessions = createSessions(client, db, { clock, time });
    onTestFinished(() => sessions.close());
    return { clock, sessions, write: () => sessions.use(() => Promise.resolve()) };
  };

  /** Two servers and a clock that the test controls. The other server has written something. */
  async function openTwo() {
    const { client, db } = await connect({ url: newDatabase() });
    onTestFinished(() => client.close());
    let now = 1_000_000;
    const time = { now: () => Promise.resolve(now) };
    const [one, other] = [join(client, db, time), join(client, db, time)];
    await one.write();
    const empty = await one.sessions.hasOthers();
    await other.write();
    let isAnswered = false;
    const ask = () => one.sessions.hasOthers().finally(() => (isAnswered = true));
    /** Waits until its renewal and its next check wait for the clock: a check in progress could see later changes. */
    const looked = () => until(() => isAnswered || one.clock.waiting().length === 2);
    /** Lets time pass for the server that checks, until it has checked. */
    const pass = async (wait: number) => {
      await looked();
      now += wait;
      await one.clock.advance(250);
      await looked();
    };
    return { other, empty, ask, looked, pass, db };
  }

  it("is answered when it gives its next sign of life", async () => {
    const { other, empty, ask, pass } = await openTwo();
    expect(empty).toBe(false);
    const answer = ask();
    await pass(1000);
    await other.clock.advance(1000);
    await until(() => other.clock.waiting().length === 1);
    await pass(0);
    expect(await answer).toBe(true);
  });

  it("is denied when it has ended, or was killed", async () => {
    const stopped = await openTwo();
    const answer = stopped.ask();
    await stopped.looked();
    await stopped.other.sessions.close();
    await stopped.pass(0);
    expect(await answer).toBe(false);

    const { ask, pass } = await openTwo();
    const later = ask();
    await pass(8000);
    await pass(1);
    expect(await later).toBe(false);
  });

  it("is answered when one that was slow comes back, although it was taken for gone", async () => {
    const { other, ask, pass, db } = await openTwo();
    const answer = ask();
    await pass(4001);
    await collectionOf(db, "sessions").deleteMany({});
    await pass(0);
    await other.clock.advance(1000);
    await until(() => other.clock.waiting().length === 1);
    await pass(0);
    expect(await answer).toBe(true);
  });

  it("is answered when one appears during the wait", async () => {
    const { other, ask, looked, pass, db } = await openTwo();
    const answer = ask();
    await looked();
    await collectionOf(db, "sessions").insertOne({ _id: "new", ids: [], until: 1_004_000, rev: 1 });
    await other.sessions.close();
    await pass(0);
    expect(await answer).toBe(true);
  });
});

// The database keeps a transaction that nothing ends for a minute.
it(
  "a command that reaches the database after its connection was lost blocks no server",
  { timeout: 50_000 },
  async () => {
    const { url, hold, restore } = await openNetwork();
    const { messages } = await openStorage({ url, timeout: 1000 });
    await messages.append(messageIn(7, "before"));
    hold();
    await expect(messages.append(messageIn(7, "held"))).rejects.toMatchObject({ code: "storage_unavailable" });
    restore();
    await again(() => messages.append(messageIn(7, "after")));
  },
);

it("a server that was considered gone continues", async () => {
  const database = newDatabase();
  const slow = await openStorage({ url: database });
  await slow.messages.append(messageIn(7, "before"));
  const sessions = slow.connection.db.collection<{ _id: string; ids: unknown[] }>("sessions");
  const [known] = await sessions.find().toArray();
  await slow.connection.db.command({ killSessions: known?.ids.map((id) => ({ id })) });
  await sessions.deleteMany({});
  await slow.messages.append(messageIn(7, "after"));
  expect(await contentsIn(slow, 7)).toEqual(["after", "before"]);
});
