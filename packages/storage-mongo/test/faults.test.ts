import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { type Document, MongoClient } from "mongodb";
import { at } from "test-support/json";
import { sharedMongo } from "test-support/shared-mongo";
import { describe, expect, it, onTestFinished } from "vitest";
import { createMongoBlobs, createMongoStorage } from "../src/index.ts";
import { again } from "./support/again.ts";
import { startCuttingProxy } from "./support/cutting-proxy.ts";
import { messageIn, newDatabase, openStorage, person } from "./support/database.ts";

/** Makes the next `times` commands of storages fail. Returns a function that ends it earlier. */
async function failCommands(times: number, data: Document): Promise<() => Promise<unknown>> {
  // A separate client: some of these errors close the connections of a storage's client.
  const client = await new MongoClient(sharedMongo()).connect();
  const arm = (mode: Document | string) =>
    client.db("admin").command({ configureFailPoint: "failCommand", mode, data: { appName: "telex", ...data } });
  const disarm = () => arm("off");
  onTestFinished(async () => {
    await disarm();
    await client.close();
  });
  await arm({ times });
  return disarm;
}

const faults: readonly { readonly name: string; readonly data: Document }[] = [
  { name: "the connection is cut before a write", data: { failCommands: ["bulkWrite"], closeConnection: true } },
  { name: "the connection is cut at the commit", data: { failCommands: ["commitTransaction"], closeConnection: true } },
  { name: "the server is not the primary any more", data: { failCommands: ["find"], errorCode: 10_107 } },
  {
    name: "the server shuts down during the transaction",
    data: { failCommands: ["bulkWrite"], errorCode: 11_600, errorLabels: ["TransientTransactionError"] },
  },
  {
    name: "another server ends its sessions during the transaction",
    data: { failCommands: ["bulkWrite"], errorCode: 11_601 },
  },
  {
    name: "another server ends its sessions during the commit",
    data: { failCommands: ["commitTransaction"], errorCode: 11_601 },
  },
  {
    name: "another transaction was first",
    data: { failCommands: ["bulkWrite"], errorCode: 112, errorLabels: ["TransientTransactionError"] },
  },
  {
    name: "nobody knows whether the commit succeeded",
    data: { failCommands: ["commitTransaction"], errorCode: 91, errorLabels: ["UnknownTransactionCommitResult"] },
  },
  {
    name: "the majority did not confirm the commit in time",
    data: {
      failCommands: ["commitTransaction"],
      writeConcernError: { code: 64, errmsg: "waiting for replication timed out" },
    },
  },
  {
    name: "the server is slow",
    data: { failCommands: ["bulkWrite", "commitTransaction"], blockConnection: true, blockTimeMS: 200 },
  },
];

describe("a verb is done once, although", () => {
  it.each(faults)("$name", async ({ data }) => {
    const storage = await openStorage({ url: newDatabase() });
    await storage.messages.append(messageIn(7, "before"));
    await failCommands(1, data);
    const appended = await storage.messages.append(messageIn(7, "during"));
    expect(appended.outcome).toBe("appended");
    const page = await storage.messages.page({ groupId: 7, before: null, limit: 10 });
    expect(page.messages.map(({ content, seq }) => [content, seq])).toEqual([
      ["during", 2],
      ["before", 1],
    ]);
  });
});

const serverFaults = [
  ["its cursor was lost", 43],
  ["a majority cannot be read yet", 134],
  ["its plan was ended", 175],
  ["its cursor was ended", 237],
  ["the server is too busy", 365],
] as const;

it.each(serverFaults)("a read is tried again if %s", async (_name, errorCode) => {
  const storage = await openStorage({ url: newDatabase() });
  await storage.users.appendUser(person);
  await failCommands(1, { failCommands: ["find"], errorCode });
  expect(await storage.users.findUser(1)).toMatchObject({ userId: 1 });
});

it("messages that are read with a cursor are complete, each once, even if it is lost", async () => {
  const storage = await openStorage({ url: newDatabase() });
  const texts = Array.from({ length: 150 }, (_, index) => `${index}`);
  await Promise.all(texts.map((text) => storage.messages.append(messageIn(7, text))));
  await failCommands(1, { failCommands: ["getMore"], errorCode: 43 });
  const found = await storage.messages.listSince({ groupIds: [7], after: 0, limit: 1000, bytes: 1_000_000 });
  expect(found?.map(({ content }) => content)).toEqual(texts);
});

it("a download continues where its cursor was lost", async () => {
  const { connection } = await openStorage({ url: newDatabase() });
  const blobs = createMongoBlobs(connection);
  const [blobId, bytes] = ["0".repeat(32), randomBytes(9 * 2 ** 20)];
  await blobs.put(blobId, Readable.from([bytes]));
  const stream = await blobs.open(blobId);
  await failCommands(1, { failCommands: ["getMore"], errorCode: 43 });
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream ?? []) chunks.push(chunk);
  expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
});

it("a message is stored once although an election takes twelve seconds", async () => {
  const storage = await openStorage({ url: newDatabase() });
  await storage.messages.append(messageIn(7, "before"));
  const commands = ["find", "bulkWrite", "insert", "update", "findAndModify", "commitTransaction", "killSessions"];
  const elected = await failCommands(100_000, { failCommands: commands, errorCode: 10_107 });
  setTimeout(() => void elected(), 12_000);
  const appended = await storage.messages.append(messageIn(7, "during"));
  expect(appended).toMatchObject({ outcome: "appended" });
  const { messages } = await storage.messages.page({ groupId: 7, before: null, limit: 10 });
  expect(messages.map(({ content }) => content)).toEqual(["during", "before"]);
});

it("a transaction whose commit stays in doubt until its ids are too old is run again", async () => {
  const proxy = await startCuttingProxy(newDatabase());
  const storage = await openStorage({ url: proxy.url });
  await storage.messages.append(messageIn(7, "before"));
  const inDoubt = { errorCode: 91, errorLabels: ["UnknownTransactionCommitResult"] };
  const elected = await failCommands(100_000, { failCommands: ["commitTransaction"], ...inDoubt });
  setTimeout(() => void elected(), 7000);
  proxy.cutAt(Number.POSITIVE_INFINITY, "before");
  expect(await storage.messages.append(messageIn(7, "during"))).toMatchObject({ outcome: "appended" });
  expect(proxy.seenOn("messages").filter((command) => command === "bulkWrite")).toHaveLength(2);
  const { messages } = await storage.messages.page({ groupId: 7, before: null, limit: 10 });
  expect(messages.map(({ content }) => content)).toEqual(["during", "before"]);
});

it("index builds wait for no member that is down, and for a limited time for a majority", async () => {
  const proxy = await startCuttingProxy(newDatabase());
  await openStorage({ url: proxy.url });
  const built = proxy.sent("createIndexes");
  expect(built.length).toBeGreaterThan(0);
  for (const command of built)
    expect(command).toMatchObject({ commitQuorum: "majority", maxTimeMS: 6 * 60 * 60_000, writeConcern: { j: true } });
});

describe("indexes are compared by their definitions:", () => {
  it("one with another name is enough", async () => {
    const url = newDatabase();
    const { connection } = await openStorage({ url });
    const files = connection.db.collection("files");
    await files.dropIndex("blob");
    await files.createIndex({ blobId: 1 }, { name: "made by hand" });
    await openStorage({ url });
    expect((await files.indexes()).map(({ name }) => name)).not.toContain("blob");
  });

  it("a different one under the name of Telex is refused with an explanation", async () => {
    const url = newDatabase();
    const { connection } = await openStorage({ url });
    const tokens = connection.db.collection("tokens");
    await tokens.dropIndex("digest");
    await tokens.createIndex({ digest: 1 }, { name: "digest" });
    await expect(createMongoStorage({ url })).rejects.toMatchObject({
      fault: "unusable",
      message: expect.stringContaining("The index digest of the collection tokens") as unknown,
    });
  });
});

it("rooms are read in parts of 200: for more rooms, MongoDB would sort", async () => {
  const proxy = await startCuttingProxy(newDatabase());
  const storage = await openStorage({ url: proxy.url });
  const rooms = Array.from({ length: 450 }, (_, index) => index + 1);
  for (const groupId of [449, 1, 201]) await storage.messages.append(messageIn(groupId, `in ${groupId}`));
  proxy.cutAt(Number.POSITIVE_INFINITY, "before");
  const asked = { groupIds: rooms, after: 0, bytes: 1_000_000 };
  const found = await storage.messages.listSince({ ...asked, limit: 3 });
  expect(found?.map(({ content }) => content)).toEqual(["in 449", "in 1", "in 201"]);
  expect(proxy.seenOn("messages").filter((command) => command === "find")).toEqual(["find", "find", "find"]);
  expect(await storage.messages.listSince({ ...asked, limit: 2 })).toBe(null);

  proxy.cutAt(Number.POSITIVE_INFINITY, "before");
  const search = { groupIds: rooms, words: [], before: null, createdAfter: null, createdBefore: null, limit: 2 };
  const { messages } = await storage.messages.search(search);
  expect(messages.map(({ content }) => content)).toEqual(["in 201", "in 1", "in 449"]);
  const counts = proxy.sent("find").map((find) => at(find, "filter", "groupId", "$in", "length"));
  expect(new Set(counts.filter((count) => count !== undefined))).toEqual(new Set([200, 50]));
});

it("a page of uploads is read without the others", async () => {
  const storage = await openStorage({ url: newDatabase() });
  const { db } = storage.connection;
  for (let number = 1; number <= 3; number += 1) {
    const file = {
      md5: `${number}`.repeat(32),
      sha256: "s",
      size: 1,
      mime: "text/plain",
      ext: "",
      blobId: `${number}`,
    };
    const put = { uploader: 7, name: "", kind: "text", reserved: null, code: null, unusedUntil: 1000 };
    await storage.bucket.putFile({ file, ...put, now: number });
  }
  // As an earlier version wrote it.
  await db.collection("uploads").updateOne({ md5: "2".repeat(32) }, { $unset: { createdAt: 1 } });
  const page = async (after: Parameters<typeof storage.bucket.listUploads>[0]["after"]) =>
    await storage.bucket.listUploads({ userId: 7, after, limit: 2 });
  const first = await page(null);
  expect(first.map(({ uploadedAt }) => uploadedAt)).toEqual([3, 2]);
  expect((await page(first[1] ?? null)).map(({ uploadedAt }) => uploadedAt)).toEqual([1]);
});

describe("an unusable database is refused with an explanation:", () => {
  it("an invalid address", async () => {
    const opening = createMongoStorage({ url: "mongodb://user:secret@" });
    await expect(opening).rejects.toMatchObject({ fault: "invalid_url" });
    await expect(opening).rejects.not.toThrow(/secret/v);
  });

  it("the port is closed", async () => {
    const opening = createMongoStorage({ url: "mongodb://user:secret@127.0.0.1:1/telex", timeout: 300 });
    await expect(opening).rejects.toMatchObject({
      fault: "unreachable",
      message: expect.stringContaining("MongoDB at 127.0.0.1:1 cannot be reached (") as unknown,
    });
  });

  it("a newer version has changed it", async () => {
    const url = newDatabase();
    const storage = await openStorage({ url });
    await storage.connection.db.collection("meta").updateOne({}, { $set: { version: 99, readableFrom: 99 } });
    await expect(createMongoStorage({ url })).rejects.toMatchObject({ fault: "newer" });
  });
});

it("calls reject with storage_unavailable while the database does not answer, and work again afterwards", async () => {
  const storage = await openStorage({ url: newDatabase(), timeout: 1000 });
  await storage.users.appendUser(person);
  const disarm = await failCommands(1000, { failCommands: ["find", "insert", "update"], errorCode: 11_600 });
  await expect(storage.users.findUser(1)).rejects.toMatchObject({ code: "storage_unavailable" });
  await expect(storage.probe()).rejects.toMatchObject({ code: "storage_unavailable" });
  await disarm();
  expect(await again(() => storage.users.findUser(1))).toMatchObject({ userId: 1 });
  await again(() => storage.probe());
});

it("of ten servers that start simultaneously on a new database each finds it complete, and one makes it", async () => {
  const { url, seenOn } = await startCuttingProxy(newDatabase());
  const storages = await Promise.all(Array.from({ length: 10 }, () => openStorage({ url, timeout: 60_000 })));
  const appended = await Promise.all(storages.map((storage) => storage.users.appendUser(person)));
  const ids = appended.map((one) => (one.outcome === "appended" ? one.user.userId : 0));
  expect(new Set(ids).size).toBe(10);
  const db = storages[0]?.connection.db;
  expect(await db?.collection("meta").countDocuments()).toBe(1);
  expect(seenOn("tokens").filter((command) => command.startsWith("create"))).toEqual(["createIndexes"]);
  // Each step ends with an update of the version.
  const schema = await db?.collection("meta").findOne();
  expect(seenOn("meta").filter((command) => command === "update")).toHaveLength(Number(schema?.["version"]));
});
