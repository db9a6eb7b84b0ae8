import { MongoClient } from "mongodb";
import { mkdir, mkdtemp, rename, rm, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { answer, refusal } from "../in-process.ts";
import { folder, telex } from "test-support/command";
import { contentsOf, exportedOf, fillFolder } from "test-support/filled";
import { at, listAt } from "test-support/json";
import { type MongoServerOptions, startMongo } from "test-support/mongo";
import { startMongoRouter } from "test-support/mongo-router";

async function startServer(options: MongoServerOptions = {}): Promise<string> {
  const { url, stop } = await startMongo(options);
  onTestFinished(stop);
  return url.replace("mongodb://", "");
}

/** Adds users to the database telex in a folder. Its server must require authentication. */
async function makeUsers(storage: string, users: Readonly<Record<string, string>>): Promise<void> {
  const { url, stop } = await startMongo({ folder: storage, isDurable: true });
  const client = await new MongoClient(url).connect();
  const admin = client.db("admin");
  for (const [createUser, role] of Object.entries(users)) {
    await admin.command({ createUser, pwd: "hunter2", roles: [{ role, db: "telex" }] });
  }
  await client.close();
  await stop();
}

it("export and import move an installation to MongoDB and back, and nothing changes", async () => {
  const url = `mongodb://${await startServer()}/telex`;
  const [first, second] = [await folder(), await folder()];
  const [out, back] = [join(await folder(), "out"), join(await folder(), "back")];
  await fillFolder(first);
  const exported = await answer(["export", out, "--data", first]);
  const onMongo = ["--storage", url, "--data", join(await folder(), "new")];

  const imported = await answer(["import", out, ...onMongo]);
  expect(at(imported, "records")).toEqual(at(exported, "records"));
  expect(at(imported, "target")).toBe(url);
  const exportedAgain = await answer(["export", back, ...onMongo]);
  expect(at(exportedAgain, "files")).toEqual(at(exported, "files"));
  await answer(["import", back, "--data", second]);
  expect(exportedOf(await contentsOf(second))).toEqual(exportedOf(await contentsOf(first)));

  expect(await refusal(["import", out, ...onMongo])).toMatchObject({ code: 1, error: "target_not_empty" });
  const { code, stdout } = await telex(["doctor", "--json", "--port", "0", ...onMongo]);
  const checks = listAt(JSON.parse(stdout), "checks");
  expect(checks).toContainEqual(expect.objectContaining({ name: "storage", status: "ok" }));
  expect(code).toBe(0);
});

/** The checks of doctor for a usable database. */
async function warningOf(host: string): Promise<unknown> {
  const there = ["--storage", `mongodb://${host}/telex`, "--data", await folder()];
  const { code, stdout } = await telex(["doctor", "--json", "--port", "0", ...there]);
  expect(code).toBe(0);
  const storage = listAt(JSON.parse(stdout), "checks").find((check) => at(check, "name") === "storage");
  expect(storage).toMatchObject({ status: "warn", detail: "the database of MongoDB opens and can be written" });
  return at(storage, "hint");
}

it("doctor warns of a sharded cluster", async () => {
  const router = await startMongoRouter(`mongodb://${await startServer()}`);
  onTestFinished(router.close);
  expect(await warningOf(router.host)).toContain("Telex was not tested with one");
});

it("doctor warns of a user of the database who may not end sessions, and says what to grant", async () => {
  const host = await startServer();
  const client = await new MongoClient(`mongodb://${host}`).connect();
  onTestFinished(() => client.close());
  const data = { appName: "telex", failCommands: ["killSessions"], errorCode: 13 };
  await client.db("admin").command({ configureFailPoint: "failCommand", mode: "alwaysOn", data });
  expect(await warningOf(host)).toContain("Grant the action killAnySession");
});

it("an import that was interrupted is refused to everything but its repeat, which completes it", async () => {
  const host = await startServer();
  const url = `mongodb://${host}/telex`;
  const first = await folder();
  const out = join(await folder(), "out");
  await fillFolder(first);
  const exported = await answer(["export", out, "--data", first]);
  const onMongo = ["--storage", url, "--data", join(await folder(), "new")];
  const files = ["--from", `export:${out}`, "--to", url, "--to-blobs", join(await folder(), "files")];
  const refused = await refusal(["migrate", "copy", ...files]);
  expect([refused.code, refused.msg]).toEqual([
    2,
    expect.stringContaining("The files of MongoDB are in its database") as unknown,
  ]);

  // The last file of the export is unreadable, so the import ends after it has copied the records.
  const records = join(out, "files");
  const hidden = `${records}-hidden`;
  await rename(records, hidden);
  await mkdir(records);
  expect((await refusal(["import", out, ...onMongo])).error).toBe("damaged_file");
  expect(await refusal(["user", "list", ...onMongo])).toMatchObject({ code: 1, error: "storage_incomplete" });
  await rmdir(records);
  await rename(hidden, records);
  const imported = await answer(["import", out, ...onMongo]);
  expect([at(imported, "resumed"), at(imported, "records")]).toEqual([true, at(exported, "records")]);
  await answer(["user", "list", ...onMongo]);
});

it("a server that asks for users says what is wrong with the user of the address", async () => {
  const storage = await mkdtemp(join(tmpdir(), "telex-mongo-users-"));
  onTestFinished(() => rm(storage, { recursive: true, force: true }));
  await makeUsers(storage, { owner: "readWrite", reader: "read" });
  const host = await startServer({ folder: storage, isProtected: true });
  const list = (user: string) =>
    refusal(["user", "list", "--storage", `mongodb://${user}${host}/telex?authSource=admin`]);
  const fresh = await list("reader:hunter2@");
  await answer(["user", "list", "--storage", `mongodb://owner:hunter2@${host}/telex?authSource=admin`]);
  for (const refused of [fresh, await list("reader:hunter2@")]) {
    expect(refused).toEqual({
      code: 1,
      error: "storage_missing_rights",
      msg: `The user of the address may not read and write telex at ${host}. Give it the role readWrite.`,
    });
  }
  const wrong = await list("owner:hunter3@");
  expect(wrong).toMatchObject({ code: 1, error: "storage_wrong_password" });
  expect(wrong.msg).not.toContain("hunter3");
  expect(await list("")).toMatchObject({ code: 1, error: "storage_missing_rights" });
});
