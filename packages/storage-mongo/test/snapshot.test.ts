import { recordKinds, type RecordKind, type RecordStore } from "@telex/core/storage";
import { sampleRecords } from "@telex/conformance";
import { MongoClient } from "mongodb";
import { describe, expect, it, onTestFinished } from "vitest";
import { startMongo } from "test-support/mongo";
import { startCuttingProxy } from "./support/cutting-proxy.ts";
import { messageIn, newDatabase, openStorage, person } from "./support/database.ts";

const listAll = (records: Pick<RecordStore, "list">, kind: RecordKind) =>
  records.list(kind, { after: null, limit: 10_000 });

describe("a snapshot", () => {
  it("shows all collections as they were at its first read, despite later writes", async () => {
    const storage = await openStorage({ url: newDatabase() });
    const { records, users, messages } = storage;
    for (const kind of recordKinds) await records.put(kind, sampleRecords[kind]);
    const before = new Map<RecordKind, unknown>();
    for (const kind of recordKinds) before.set(kind, await listAll(records, kind));

    const snapshot = storage.openSnapshot();
    onTestFinished(snapshot.close);
    const [first] = recordKinds;
    if (first === undefined) throw new Error("There are no kinds of records.");
    expect(await listAll(snapshot, first)).toEqual(before.get(first));
    await users.appendUser(person);
    await messages.append(messageIn(1, "later"));
    for (const kind of recordKinds) expect([kind, await listAll(snapshot, kind)]).toEqual([kind, before.get(kind)]);
    expect(await listAll(records, "users")).toHaveLength(sampleRecords.users.length + 1);
    expect(await listAll(records, "counters")).not.toEqual(before.get("counters"));
  });

  it("that takes longer than the database keeps its history says so", async () => {
    const { url, stop } = await startMongo();
    onTestFinished(stop);
    const storage = await openStorage({ url: `${url}/telex` });
    const snapshot = storage.openSnapshot();
    onTestFinished(snapshot.close);
    await listAll(snapshot, "users");
    const client = await new MongoClient(url).connect();
    onTestFinished(() => client.close());
    await client.db("admin").command({ setParameter: 1, minSnapshotHistoryWindowInSeconds: 0 });
    await expect(listAll(snapshot, "tokens")).rejects.toMatchObject({
      fault: "history_too_short",
      message: expect.stringContaining("minSnapshotHistoryWindowInSeconds") as unknown,
    });
  });
});

describe("a page", () => {
  it("is read as of one moment, whatever is written between its reads, and waits for no replication", async () => {
    const url = newDatabase();
    const proxy = await startCuttingProxy(url);
    const [reader, writer] = [await openStorage({ url: proxy.url }), await openStorage({ url })];
    for (const text of ["one", "two", "three"]) await writer.messages.append(messageIn(7, text));
    const newest = await writer.messages.findNewest([7]);
    proxy.cutAt(Number.POSITIVE_INFINITY, "before");
    const held = proxy.holdAt("find", "heads");
    const reading = reader.messages.page({ groupId: 7, before: newest.get(7) ?? null, limit: 10 });
    const sendOn = await held;
    await writer.messages.append(messageIn(7, "later"));
    sendOn();
    const { messages, newer, newest: last } = await reading;
    expect([messages.map(({ content }) => content), newer, last]).toEqual([["two", "one"], 1, newest.get(7)]);
    expect(proxy.seen).not.toContain("commitTransaction");
  });
});

describe("a lock of a database", () => {
  it("has one owner, until it is released", async () => {
    const url = newDatabase();
    const [one, other] = [await openStorage({ url }), await openStorage({ url })];
    const locks = await Promise.all([one.takeLock("backup"), other.takeLock("backup"), one.takeLock("backup")]);
    const [lock, ...others] = locks.filter((taken) => taken !== null);
    expect([lock, others]).toEqual([expect.anything(), []]);
    expect(await lock?.isHeld()).toBe(true);
    await lock?.release();
    expect(await lock?.isHeld()).toBe(false);
    expect(await other.takeLock("backup")).not.toBeNull();
  });
});

describe("a database without an installation", () => {
  it("is not made one if it must exist", async () => {
    const url = newDatabase();
    await expect(openStorage({ url, create: false })).rejects.toMatchObject({ fault: "missing" });
    const client = await new MongoClient(url).connect();
    onTestFinished(() => client.close());
    expect(await client.db().listCollections().toArray()).toEqual([]);
    await openStorage({ url });
    await openStorage({ url, create: false });
  });
});
