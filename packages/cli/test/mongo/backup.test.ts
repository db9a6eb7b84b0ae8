import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { createMongoBlobs, createMongoStorage, type MongoStorage } from "@telex/storage-mongo";
import { createSqliteStorage } from "@telex/storage-sqlite";
import { MongoClient } from "mongodb";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { answer, refusal } from "../in-process.ts";
import { finished, folder, lastJson, serve, start, until } from "test-support/command";
import { type Amount, blobsOf, contentsOf, digestsOf, fill, fillFolder } from "test-support/filled";
import { at, textAt } from "test-support/json";
import { startMongo } from "test-support/mongo";
import { openNetwork } from "test-support/network";
import { sharedMongo } from "test-support/shared-mongo";
import { createUploader } from "test-support/uploader";
import { assertHolds, createKey } from "../backups.ts";

/**
 * A separate server for these tests, unless one was named: killed and suspended commands leave open transactions, which would slow down
 * other tests.
 */
const own = process.env["TELEX_TEST_MONGODB"] === undefined ? await startMongo() : null;
afterAll(() => own?.stop());

const newDatabase = (): string => `${own?.url ?? sharedMongo()}/backup-${randomUUID()}`;

/** The options of a command that name a database. */
const on = async (url: string): Promise<string[]> => ["--storage", url, "--data", join(await folder(), "data")];

async function openStorage(url: string): Promise<MongoStorage> {
  const storage = await createMongoStorage({ url });
  onTestFinished(() => storage.close());
  return storage;
}

/** The contents of a database, in the form of `contentsOf`. */
async function contentsAt(url: string) {
  const { records, connection } = await openStorage(url);
  return { records: await digestsOf(records), blobs: await blobsOf(createMongoBlobs(connection)) };
}

async function fillMongo(url: string, amount: Amount = {}): Promise<void> {
  const storage = await openStorage(url);
  await fill(storage, createMongoBlobs(storage.connection), amount);
}

/** The report of `telex export` on an installation. */
async function exportOf(place: readonly string[]): Promise<unknown> {
  const exported = await answer(["export", join(await folder(), "out"), ...place]);
  return [at(exported, "records"), at(exported, "files")];
}

/** Sends one message after another to a room until it is stopped. The texts are 0, 1, 2 and so on. */
function createTalker(url: string, token: string, groupId: unknown) {
  let acknowledged = 0;
  const stopping = new AbortController();
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const running = (async () => {
    for (; !stopping.signal.aborted; acknowledged += 1) {
      const body = JSON.stringify({ groupId, groupType: 1, message: String(acknowledged) });
      const response = await fetch(`${url}/external/api/v1/im/sendGroupMessage`, { method: "POST", headers, body });
      expect(response.status).toBe(200);
    }
  })();
  return {
    acknowledged: () => acknowledged,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** The texts of the messages in a data folder, in order. */
async function textsIn(data: string): Promise<readonly string[]> {
  const storage = await createSqliteStorage({ file: join(data, "telex.db") });
  const messages = await storage.records.list("messages", { after: null, limit: 100_000 });
  await storage.close();
  expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_, place) => place + 1));
  return messages.map(({ content }) => textAt(JSON.parse(content), 0, "text", "text"));
}

describe("a backup of MongoDB", () => {
  it("under load holds what was acknowledged before it began, and is restored to a folder and to MongoDB", async () => {
    const [storage, backups] = [await on(newDatabase()), await folder()];
    const { recipient, identity } = await createKey();
    const servers = await Promise.all([
      serve(["--rate-limits", "off", ...storage]),
      serve(["--rate-limits", "off", ...storage]),
    ]);
    await answer(["user", "add", "alice", ...storage]);
    const token = textAt(await answer(["token", "issue", "--user", "1", "--scope", "chat", ...storage]), "token");
    const room = await answer(["group", "add", "--type", "1", "--name", "Office", "--member", "1", ...storage]);
    const fileOf = (number: number) => new File([`file ${number}`], `${number}.txt`);
    const uploader = createUploader(servers[0].url, token, fileOf);
    const talker = createTalker(servers[1].url, token, at(room, "groupId"));
    const backup = async (name: string, ...flags: readonly string[]) => {
      await until(() => Promise.resolve(talker.acknowledged() > 0 && uploader.acknowledged.length > 0));
      const before = { files: [...uploader.acknowledged], messages: talker.acknowledged() };
      const made = await answer(["backup", join(backups, name), ...storage, ...flags]);
      expect(made).toMatchObject({ swept: 0, damaged: [], removed: [] });
      return { ...before, place: textAt(made, "backup") };
    };
    const made = [
      await backup("plain"),
      await backup("several", "--keep", "1", "--recipient", recipient),
      await backup("after"),
    ];
    await Promise.all([uploader.stop(), talker.stop()]);
    for (const server of servers) await server.stop();

    const restored = join(await folder(), "data");
    for (const [number, one] of made.entries()) {
      const data = join(restored, String(number));
      await answer(["restore", one.place, "--data", data, ...(number === 1 ? ["--identity", identity] : [])]);
      await assertHolds(data, one.files);
      const texts = await textsIn(data);
      expect(texts).toEqual(texts.map((_, place) => String(place)));
      expect(texts.length).toBeGreaterThanOrEqual(one.messages);
    }
    const second = await on(newDatabase());
    await answer(["restore", made[0]?.place ?? "", ...second]);
    expect(await exportOf(second)).toEqual(await exportOf(["--data", join(restored, "0")]));
  });

  it("and one of SQLite are the same, whichever of both they are restored to", async () => {
    const [data, restored, backups] = [await folder(), await folder(), await folder()];
    const url = newDatabase();
    const place = await on(url);
    await fillFolder(data, { messages: 100, files: 3 });
    await answer(["backup", join(backups, "sqlite"), "--data", data]);
    const report = await answer(["restore", join(backups, "sqlite"), ...place]);
    expect(report).toMatchObject({ restored: url, backup: join(backups, "sqlite"), damaged: [] });
    expect(await contentsAt(url)).toEqual(await contentsOf(data));

    expect(await refusal(["restore", join(backups, "sqlite"), ...place])).toMatchObject({
      code: 1,
      error: "target_not_empty",
    });
    await answer(["backup", join(backups, "mongo"), ...place]);
    expect(await contentsOf(join(backups, "mongo"))).toEqual(await contentsOf(data));
    await answer(["restore", join(backups, "mongo"), "--data", restored]);
    expect(await contentsOf(restored)).toEqual(await contentsOf(data));
    expect(await exportOf(["--data", restored])).toEqual(await exportOf(place));
  });

  it("is refused while another one is made, and where there is no installation", async () => {
    const [url, backups] = [newDatabase(), await folder()];
    const args = ["backup", join(backups, "x"), ...(await on(url))];
    expect(await refusal(args)).toMatchObject({ code: 1, error: "storage_missing" });
    const client = await new MongoClient(url).connect();
    expect(await client.db().listCollections().toArray()).toEqual([]);
    await client.close();
    await fillMongo(url);
    const lock = await (await openStorage(url)).takeLock("backup");
    expect(await refusal(args)).toEqual({
      code: 1,
      error: "storage_in_use",
      msg: `Another backup of ${url} is in progress. Try again when it is complete; if it was killed, after 35 seconds.`,
    });
    expect(await readdir(backups)).toEqual([]);
    await lock?.release();
    await answer(args);
  });

  it("names a file of which GridFS has lost bytes, and leaves it out if it is told to", async () => {
    const [url, backups] = [newDatabase(), await folder()];
    const storage = await openStorage(url);
    const { db } = storage.connection;
    const blobs = createMongoBlobs({ db });
    await fill(storage, blobs, { files: 3 });
    const [file] = await storage.records.list("files", { after: null, limit: 1 });
    // Of several chunks.
    await blobs.delete(file?.blobId ?? "");
    await blobs.put(file?.blobId ?? "", Readable.from([Buffer.alloc(2 ** 20)]));
    // No other file has as many.
    expect(await db.collection("blobs.chunks").deleteMany({ n: 2 })).toMatchObject({ deletedCount: 1 });
    const place = await on(url);
    const { recipient } = await createKey();
    for (const [name, ...flags] of [["plain"], ["sealed", "--recipient", recipient]]) {
      const args = ["backup", join(backups, name ?? ""), ...place, ...flags];
      const { code, error, msg } = await refusal(args);
      expect({ code, error }).toEqual({ code: 1, error: "damaged_file" });
      expect(msg).toContain(`The bytes of file ${file?.md5} are damaged.`);
      const made = await answer([...args, "--skip-damaged"]);
      expect(at(made, "damaged")).toEqual([{ md5: file?.md5, fault: "damaged" }]);
    }
    expect(await refusal(["export", join(backups, "out"), ...place])).toMatchObject({ error: "damaged_file" });
  });

  it("that takes longer than the database keeps its history says so, and is not complete", async () => {
    const { url, stop } = await startMongo();
    onTestFinished(stop);
    await fillMongo(`${url}/telex`);
    const client = await new MongoClient(url).connect();
    await client.db("admin").command({ setParameter: 1, minSnapshotHistoryWindowInSeconds: 0 });
    await client.close();
    const backups = await folder();
    const { error, msg } = await refusal(["backup", join(backups, "x"), ...(await on(`${url}/telex`))]);
    expect([error, msg]).toEqual([
      "storage_history_too_short",
      expect.stringContaining("minSnapshotHistoryWindowInSeconds") as unknown,
    ]);
    expect(await readdir(backups)).toEqual(["x.partial"]);
  });
});

/** Ends the locks of a killed process, as their leases would. */
async function endLocks(url: string): Promise<void> {
  const client = await new MongoClient(url).connect();
  const leases = client.db().collection<{ readonly _id: string }>("leases");
  await leases.updateMany({ _id: { $in: ["backup", "copy"] } }, { $set: { until: 0 } });
  await client.close();
}

/** Polls until a command has made this progress. It waits for as long as necessary, because the test server is slow. */
async function untilSo(child: ChildProcess, isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) {
    expect(child.exitCode).toBeNull();
    await setTimeout(20);
  }
}

/** Runs a command, and sends it this signal when the condition holds. */
async function endWhen(signal: NodeJS.Signals, args: readonly string[], isSo: () => Promise<boolean>): Promise<void> {
  const child = start(args);
  const ended = once(child, "close");
  await untilSo(child, isSo);
  child.kill(signal);
  await ended;
  expect(child.signalCode).toBe(signal);
}

/** True if the folder contains files. */
const hasSome = (path: string) => async (): Promise<boolean> =>
  (await readdir(path, { recursive: true }).catch(() => [])).length > 5;

/** True if the database contains files. */
async function hasBlobs(url: string): Promise<() => Promise<boolean>> {
  const client = await new MongoClient(url).connect();
  onTestFinished(() => client.close());
  return async () => (await client.db().collection("blobs.files").estimatedDocumentCount()) > 5;
}

describe("a backup of MongoDB that was interrupted", () => {
  it("is never taken for a complete one, and the next one to the same place clears it away", async () => {
    const [url, data, backups] = [newDatabase(), await folder(), await folder()];
    await fillMongo(url, { files: 60 });
    const target = join(backups, "backup");
    const { recipient } = await createKey();
    const args = ["backup", target, "--storage", url, "--data", data, "--recipient", recipient];
    const hasFiles = hasSome(join(`${target}.partial`, "blobs"));
    await endWhen("SIGKILL", args, hasFiles);
    // Must come first, because the lock ends by itself.
    expect(await refusal(args)).toMatchObject({ error: "storage_in_use" });
    expect(await refusal(["restore", target, "--data", join(backups, "x")])).toMatchObject({ error: "backup_missing" });
    const left = await readdir(data);
    expect(left).toEqual([expect.stringMatching(/^\.mongodb-backup-/)]);
    await endLocks(url);
    const hasCleared = async (): Promise<boolean> => !(await readdir(data)).includes(left[0] ?? "");
    await endWhen("SIGTERM", args, async () => (await hasCleared()) && (await hasFiles()));
    await answer(args);
    expect([await readdir(backups), await readdir(data)]).toEqual([["backup"], []]);
  });
});

it("a backup of MongoDB is not complete if another one has begun before its end", async () => {
  const [url, backups] = [newDatabase(), await folder()];
  await fillMongo(url, { files: 60 });
  const client = await new MongoClient(url).connect();
  onTestFinished(() => client.close());
  const child = start(["backup", join(backups, "x"), ...(await on(url)), "--json"]);
  const outcome = finished(child);
  await untilSo(child, hasSome(join(backups, "x.partial", "blobs")));
  const leases = client.db().collection<{ readonly _id: string }>("leases");
  await leases.updateOne({ _id: "backup" }, { $set: { holder: "another" } });
  const { code, stderr } = await outcome;
  expect({ code, error: at(lastJson(stderr), "error") }).toEqual({ code: 1, error: "storage_in_use" });
  expect(await readdir(backups)).toEqual(["x.partial"]);
  expect(await leases.countDocuments({ _id: "backup" })).toBe(1);
});

describe("a restore to MongoDB", () => {
  it("that was interrupted is continued, and until then nothing else uses the database", async () => {
    const [data, url, backups] = [await folder(), newDatabase(), await folder()];
    await fillFolder(data, { files: 60 });
    const { recipient, identity } = await createKey();
    for (const name of ["one", "other"]) {
      await answer(["backup", join(backups, name), "--data", data, "--recipient", recipient]);
    }
    const place = await on(url);
    const restore = (name: string) => ["restore", join(backups, name), ...place, "--identity", identity];
    await endWhen("SIGKILL", restore("one"), await hasBlobs(url));
    // Must come first, because the lock ends by itself.
    expect(await refusal(restore("one"))).toMatchObject({ error: "storage_in_use" });
    expect(await refusal(["serve", ...place, "--port", "0"])).toMatchObject({ error: "storage_incomplete" });
    expect(await refusal(["backup", join(backups, "x"), ...place])).toMatchObject({ error: "storage_incomplete" });
    await endLocks(url);
    expect(await refusal(restore("other"))).toMatchObject({ error: "other_transfer" });
    await answer(restore("one"));
    expect(await contentsAt(url)).toEqual(await contentsOf(data));
    expect(await readdir(place.at(-1) ?? "")).toEqual([]);
  });

  it("that was suspended while another one was made is not complete, and changes nothing", async () => {
    const [data, url, backups] = [await folder(), newDatabase(), await folder()];
    await fillFolder(data, { files: 60 });
    await answer(["backup", join(backups, "x"), "--data", data]);
    const child = start(["restore", join(backups, "x"), ...(await on(url)), "--json"]);
    onTestFinished(() => void child.kill("SIGKILL"));
    const outcome = finished(child);
    await untilSo(child, await hasBlobs(url));
    child.kill("SIGSTOP");
    await endLocks(url);
    await answer(["restore", join(backups, "x"), ...(await on(url))]);
    child.kill("SIGCONT");
    const { code, stderr } = await outcome;
    expect({ code, error: at(lastJson(stderr), "error") }).toEqual({ code: 1, error: "storage_in_use" });
    expect(await contentsAt(url)).toEqual(await contentsOf(data));
  });

  it("and a backup of it, if the database goes away, end with a sentence, and succeed when it is back", async () => {
    const [data, backups, database] = [await folder(), await folder(), newDatabase()];
    const network = await openNetwork(Number(new URL(database).port));
    onTestFinished(network.close);
    const url = new URL(database);
    url.port = String(network.port);
    // Long enough to connect on a busy machine.
    url.search = "?directConnection=true&serverSelectionTimeoutMS=3000";
    await fillFolder(data, { files: 60 });
    await answer(["backup", join(backups, "first"), "--data", data]);
    const place = await on(url.href);
    const interrupted = async (args: readonly string[], isSo: () => Promise<boolean>): Promise<void> => {
      const child = start([...args, "--json"]);
      const outcome = finished(child);
      await untilSo(child, isSo);
      network.remove();
      const { code, stderr } = await outcome;
      expect({ code, error: at(lastJson(stderr), "error") }).toEqual({ code: 1, error: "storage_unavailable" });
      network.restore();
      await endLocks(database);
      await answer(args);
    };
    await interrupted(["restore", join(backups, "first"), ...place], await hasBlobs(database));
    expect(await contentsAt(database)).toEqual(await contentsOf(data));
    const target = join(backups, "second");
    await interrupted(["backup", target, ...place], hasSome(join(`${target}.partial`, "blobs")));
    expect(await contentsOf(target)).toEqual(await contentsOf(data));
  });

  it("needs an address that can be used, and says so before it reads the backup", async () => {
    const [data, backups] = [await folder(), await folder()];
    await fillFolder(data);
    await answer(["backup", join(backups, "x"), "--data", data]);
    const nowhere = await on("mongodb://alice:hunter2@127.0.0.1:1/telex?serverSelectionTimeoutMS=500");
    const { error, msg } = await refusal(["restore", join(backups, "x"), ...nowhere]);
    expect([error, msg]).toEqual(["storage_unreachable", expect.not.stringContaining("hunter2") as unknown]);
  });
});
