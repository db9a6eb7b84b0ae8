import { createManualClock, until } from "@telex/conformance/testing";
import type { Db } from "mongodb";
import { describe, expect, it, onTestFinished } from "vitest";
import { createErrands, type Errands } from "../src/batches/errands.ts";
import { createTurns } from "../src/batches/turns.ts";
import { collectionOf } from "../src/driver/collections.ts";
import type { PortableCall } from "../src/driver/portable-calls.ts";
import type { MongoStorage } from "../src/index.ts";
import { type Moment, startCuttingProxy } from "./support/cutting-proxy.ts";
import { messageIn, newDatabase, openStorage } from "./support/database.ts";

const room = 7;
const root = `room ${room}`;
const callOf = (content: string): PortableCall => ({ message: messageIn(room, content) });

const shareRoom = (db: Db, groupId: number) =>
  collectionOf(db, "tickets").insertOne({ _id: `room ${groupId}`, next: 0, at: Date.now() });

/** A server that knows that others write to the room, and the errands of another server. */
async function openHost(): Promise<{ readonly host: MongoStorage; readonly errands: Errands; readonly db: Db }> {
  const url = newDatabase();
  const host = await openStorage({ url });
  const { db } = host.connection;
  await shareRoom(db, room);
  // The first conflict, or the list of shared roots, makes a server take turns.
  const tickets = async (): Promise<number> => (await collectionOf(db, "tickets").findOne({ _id: root }))?.next ?? 0;
  while ((await tickets()) === 0) await host.messages.append(messageIn(room, "before"));
  return { host, errands: createErrands(db, { now: async () => Date.now() }), db };
}

/** The texts of a room from the errands on, the oldest first. */
async function textsOf({ messages }: MongoStorage, groupId = room): Promise<string[]> {
  const page = await messages.page({ groupId, before: null, limit: 100 });
  return page.messages
    .map(({ content }) => content)
    .filter((content) => content !== "before")
    .toReversed();
}

describe("a server in its turn", () => {
  it("runs errands of another one with its own verbs, and writes the results", async () => {
    const { host, errands } = await openHost();
    await errands.give("errand", root, [callOf("one"), callOf("two")]);
    expect(await errands.findResults("errand")).toBe(null);
    await host.messages.append(messageIn(room, "own"));
    const results = await errands.findResults("errand");
    expect(results?.map(({ message }) => message)).toMatchObject([
      { outcome: "appended", message: { content: "one" } },
      { outcome: "appended", message: { content: "two" } },
    ]);
    expect((await textsOf(host)).toSorted()).toEqual(["one", "own", "two"]);
    expect(await errands.takeBack("errand")).toEqual(results);
  });

  it("does not run an errand that was taken back, even if it arrives later", async () => {
    const { host, errands } = await openHost();
    await errands.give("errand", root, [callOf("one")]);
    expect(await errands.takeBack("errand")).toBe(null);
    expect(await errands.takeBack("late")).toBe(null);
    await expect(errands.give("late", root, [callOf("two")])).rejects.toThrow("duplicate key");
    await host.messages.append(messageIn(room, "own"));
    expect(await textsOf(host)).toEqual(["own"]);
  });

  it("stores its own messages although an errand cannot be run, which stays with the server that gave it", async () => {
    const { host, errands } = await openHost();
    // A verb of a later version.
    await errands.give("unknown", root, [callOf("one"), {}]);
    await host.messages.append(messageIn(room, "own"));
    expect(await textsOf(host)).toEqual(["own"]);
    expect(await errands.takeBack("unknown")).toBe(null);
  });

  it("does not run the errand of a server that was killed long ago", async () => {
    const { host, errands, db } = await openHost();
    await errands.give("old", root, [callOf("one")]);
    await collectionOf(db, "errands").updateOne({ _id: "old" }, { $inc: { until: -60_000 } });
    await host.messages.append(messageIn(room, "own"));
    expect(await textsOf(host)).toEqual(["own"]);
  });
});

it.each(["find", "insert", "bulkWrite", "update", "commitTransaction"])(
  "an errand of a server that is killed at %s is run by the one that gave it, or was run before",
  async (step) => {
    const { host, waiting: killed, proxy } = await openWaiting(8);
    const { db } = host.connection;
    const errands = createErrands(db, { now: async () => Date.now() });
    await errands.give("errand", root, [callOf("one")]);
    proxy.loseAt(step);
    const lost = killed.messages.append(messageIn(room, "lost")).catch(() => null);
    await until(() => proxy.isLost());
    // As if a minute had passed since the last sign of life of the killed server.
    await db.collection("sessions").updateMany({}, { $inc: { until: -60_000 } });
    const results = await host.messages.append(messageIn(room, "own")).then(() => errands.takeBack("errand"));
    expect(results?.length ?? 0).toBe((await textsOf(host)).filter((text) => text === "one").length);
    await killed.close();
    await lost;
  },
);

/** A server behind a proxy that knows that another server has the turn in some rooms. */
async function openWaiting(rooms: number) {
  const url = newDatabase();
  const host = await openStorage({ url });
  const { db } = host.connection;
  const others = createTurns(db, createManualClock(), createErrands(db, { now: async () => Date.now() }));
  onTestFinished(() => others.end());
  for (let groupId = 0; groupId < rooms; groupId += 1) await shareRoom(db, groupId);
  const proxy = await startCuttingProxy(url);
  const waiting = await openStorage({ url: proxy.url });
  const looks = (): number => proxy.seenOn("tickets").filter((command) => command === "find").length;
  await until(() => looks() > 1);
  return {
    host,
    waiting,
    proxy,
    errands: collectionOf(db, "errands"),
    tickets: collectionOf(db, "tickets"),
    /** Takes the turn in a room. Returns a function that passes it on. */
    takeTurn: async (groupId: number): Promise<() => void> => {
      const turn = others.begin();
      await turn.add([`room ${groupId}`]);
      await turn.claim();
      // Without those that asked for this turn.
      await collectionOf(db, "errands").deleteMany({});
      return () => turn.pass(false);
    },
  };
}

async function untilGiven(errands: Awaited<ReturnType<typeof openWaiting>>["errands"]) {
  for (;;) {
    const errand = await errands.findOne({ isOpen: true });
    if (errand !== null) return errand;
  }
}

describe("a server that waits for its turn", () => {
  it("answers its callers with the results that another server has stored", async () => {
    const { waiting, errands, takeTurn } = await openWaiting(8);
    const pass = await takeTurn(room);
    const { message: said } = messageIn(room, "waits");
    const message = { ...said, id: 1, seq: 1, mentions: null, extras: null, changed: 0 };
    const outcome = { outcome: "appended", message } as const;
    const appended = waiting.messages.append(messageIn(room, "waits"));
    // In one step, because the server takes its errand back after two seconds.
    const answer = { $set: { isOpen: false, results: [{ message: outcome }] } };
    while ((await errands.findOneAndUpdate({ isOpen: true }, answer)) === null);
    expect(await appended).toEqual(outcome);
    pass();
    expect(await textsOf(waiting)).toEqual([]);
  });

  it("stores its messages itself in its turn, once", async () => {
    const { waiting, errands, takeTurn } = await openWaiting(8);
    const pass = await takeTurn(room);
    const appended = waiting.messages.append(messageIn(room, "waits"));
    await untilGiven(errands);
    pass();
    expect(await appended).toMatchObject({ outcome: "appended" });
    expect(await textsOf(waiting)).toEqual(["waits"]);
  });

  it("asks for the turn if it has a verb that only it can run", async () => {
    const { waiting, errands, takeTurn } = await openWaiting(8);
    const pass = await takeTurn(room);
    const asked = { groupId: room, messageId: 1, operatorId: "7", external: false, ownSince: null };
    const recalled = waiting.messages.recall({ ...asked, content: "", pinyin: "" });
    expect(await untilGiven(errands)).toMatchObject({ root, calls: [] });
    pass();
    expect(await recalled).toMatchObject({ outcome: "missing" });
  });

  it.each<Moment>(["before", "after"])(
    "has its messages stored once, wherever its connection is cut %s a command",
    async (moment) => {
      const { host, waiting, proxy, errands, tickets, takeTurn } = await openWaiting(60);
      for (let groupId = 0, isCut = true; isCut; groupId += 1) {
        const pass = await takeTurn(groupId);
        const first = host.messages.append(messageIn(groupId, "host"));
        while (((await tickets.findOne({ _id: `room ${groupId}` }))?.next ?? 0) < 2);
        proxy.cutAt(groupId, moment);
        const appends = ["one", "two"].map((content) => waiting.messages.append(messageIn(groupId, content)));
        while ((await errands.countDocuments({ root: `room ${groupId}`, isOpen: true })) < 2 && proxy.seen.length < 3);
        pass();
        await Promise.all([first, ...appends]);
        expect((await textsOf(host, groupId)).toSorted()).toEqual(["host", "one", "two"]);
        isCut = proxy.seen.length > groupId;
      }
    },
  );
});
