import { createManualClock, until } from "@telex/core/testing";
import type { ClientSession, Db } from "mongodb";
import { expect, it, onTestFinished } from "vitest";
import { connect } from "../src/connect.ts";
import { collectionOf } from "../src/deps.ts";
import { createSessions } from "../src/sessions.ts";
import { again } from "./support/again.ts";
import { startCuttingProxy } from "./support/cutting-proxy.ts";
import { messageIn, newDatabase, openStorage } from "./support/database.ts";
import { openNetwork } from "./support/proxy.ts";

const contentsIn = async ({ messages }: Awaited<ReturnType<typeof openStorage>>, groupId: number) =>
  (await messages.page({ groupId, before: null, limit: 10 })).messages.map(({ content }) => content);

it("what a killed server has written and not committed holds up the others only until they miss it", async () => {
  const database = newDatabase();
  const proxy = await startCuttingProxy(database);
  const killed = await openStorage({ url: proxy.url, timeout: 3000 });
  await killed.messages.append(messageIn(7, "before"));
  proxy.loseAt("commitTransaction");
  await expect(killed.messages.append(messageIn(7, "lost"))).rejects.toMatchObject({ code: "storage_unavailable" });
  const other = await openStorage({ url: database, timeout: 30_000 });
  // A minute has passed since it gave a sign of life.
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
  /** Lets the other server look once. */
  const lookAfter = async (wait: number) => {
    await clock.advance(wait);
    await until(() => clock.waiting().length === 1);
    return db.collection("sessions").countDocuments();
  };
  expect([await lookAfter(3000), await lookAfter(1000), await lookAfter(1000)]).toEqual([1, 1, 0]);
  gone.resolve(undefined);
  await expect(lost).rejects.toMatchObject({ code: 251, codeName: "NoSuchTransaction" });
});

/** The sessions of a server that are written down, in hexadecimal digits. */
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
      // The next look is planned when this one has ended.
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

// Without an end, the database keeps a transaction for a minute.
it("what reaches the database after its connection was lost holds up nobody", { timeout: 50_000 }, async () => {
  const { url, hold, restore } = await openNetwork();
  const { messages } = await openStorage({ url, timeout: 1000 });
  await messages.append(messageIn(7, "before"));
  hold();
  await expect(messages.append(messageIn(7, "held"))).rejects.toMatchObject({ code: "storage_unavailable" });
  restore();
  await again(() => messages.append(messageIn(7, "after")));
});

it("a server that was taken for gone goes on", async () => {
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
