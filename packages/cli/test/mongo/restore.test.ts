import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { MongoClient } from "mongodb";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { answer, refusal } from "../in-process.ts";
import { finished, folder, lastJson, serve, start } from "test-support/command";
import { fillFolder } from "test-support/filled";
import { at } from "test-support/json";
import { startMongo } from "test-support/mongo";
import { sharedMongo } from "test-support/shared-mongo";

/** A separate server for these tests, unless one was named: killed servers must not slow down other tests. */
const own = process.env["TELEX_TEST_MONGODB"] === undefined ? await startMongo() : null;
afterAll(() => own?.stop());

async function makeBackup(files: number): Promise<string> {
  const [data, backups] = [await folder(), await folder()];
  await fillFolder(data, { files });
  await answer(["backup", join(backups, "backup"), "--data", data]);
  return join(backups, "backup");
}

/** A new database, and its contents in addition to the records. */
async function openDatabase() {
  const url = `${own?.url ?? sharedMongo()}/restore-${randomUUID()}`;
  const client = await new MongoClient(url).connect();
  onTestFinished(() => client.close());
  const meta = client.db().collection<{ readonly _id: string }>("meta");
  const sessions = client.db().collection<{ readonly _id: string }>("sessions");
  return { url, sessions, hasBegun: async () => (await meta.countDocuments({ _id: "transfer" })) > 0 };
}

describe("a restore to MongoDB", () => {
  it("is refused while a server works on the database, although it is empty", async () => {
    const [backup, { url, hasBegun }] = [await makeBackup(3), await openDatabase()];
    const data = join(await folder(), "new", "data");
    const server = await serve(["--storage", url, "--data", await folder()]);
    const args = ["restore", backup, "--storage", url, "--data", data];
    expect(await refusal(args)).toEqual({
      code: 1,
      error: "storage_in_use",
      msg: `A server, or another command, works on ${url}. Stop all servers of this database, then run this command again.`,
    });
    expect([await hasBegun(), existsSync(data)]).toEqual([false, false]);
    await server.stop();
    await answer(args);
    // The folders were created for the copy of the database in the backup.
    expect(existsSync(join(data, ".."))).toBe(false);
  });

  it("is not complete if a server has started meanwhile, and is continued when it has ended", async () => {
    const [backup, { url, sessions, hasBegun }] = [await makeBackup(60), await openDatabase()];
    const args = ["restore", backup, "--storage", url, "--data", await folder()];
    const child = start([...args, "--json"]);
    const outcome = finished(child);
    while (!(await hasBegun())) {
      expect(child.exitCode).toBeNull();
      await setTimeout(5);
    }
    const isAlive = async () => {
      await sessions.updateOne({ _id: "server" }, { $set: { ids: [], until: Date.now() + 4000 } }, { upsert: true });
      await setTimeout(20);
    };
    while (child.exitCode === null && child.signalCode === null) await isAlive();
    const { code, stderr } = await outcome;
    expect({ code, error: at(lastJson(stderr), "error") }).toEqual({ code: 1, error: "storage_in_use" });
    expect(await hasBegun()).toBe(true);
    await sessions.deleteMany({});
    await answer(args);
    expect(await hasBegun()).toBe(false);
  });
});
