import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import { person } from "@telex/conformance";
import { describe, expect, it } from "vitest";
import { createSqliteMigrations, createSqliteStorage, verifySqlite } from "../src/index.ts";
import { lowestReaderOf, migrations } from "../src/migrations/all.ts";
import { roomMessage } from "./messages.ts";
import { openStorage, temporaryFile } from "./support.ts";

const latest = migrations.length;
const moment = 1_790_000_000_000;

/** A database of the first version: two users, a room with 30 messages, a device with a queue, two files. */
function firstVersion(): string {
  const file = temporaryFile();
  writeFileSync(file, gunzipSync(readFileSync(new URL("fixtures/version-1.db.gz", import.meta.url))));
  return file;
}

/** The tables and indices of SQLite, in a comparable form. */
function schemaOf(file: string): unknown {
  const database = new DatabaseSync(file, { readOnly: true });
  const names = database.prepare("SELECT type, name, tbl_name FROM sqlite_schema ORDER BY name").all();
  const columns = database
    .prepare(
      "SELECT m.name, c.name AS column, c.type FROM sqlite_schema m, pragma_table_xinfo(m.name) c ORDER BY 1, c.cid",
    )
    .all();
  database.close();
  return { names, columns };
}

describe("migrations", () => {
  it("are numbered without gaps", () => {
    expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, index) => index + 1));
  });

  it("bring the first version up to date, with everything in it", async () => {
    const file = firstVersion();
    const { users, tokens, groups, messages, teleprinter, ai } = await openStorage({ file });
    expect(createSqliteMigrations({ file }).status().version).toBe(latest);
    expect((await users.listUsers({ after: 0, limit: 10 })).map(({ nickname }) => nickname)).toEqual(["Ada", "李雷"]);
    expect(await tokens.findToken("a".repeat(64))).toMatchObject({ userId: 1, scopes: ["chat"] });
    expect(await groups.listMembers(1)).toHaveLength(2);
    const page = await messages.page({ groupId: 1, before: 11, limit: 4 });
    expect(page).toMatchObject({ newer: 20, older: 6, above: 15, newest: 30 });
    expect(page.messages.map(({ seq }) => seq)).toEqual([10, 9, 8, 7]);
    const key = { deviceId: "printer-1", owner: 1 };
    const taken = await teleprinter.take({ ...key, limit: 9, holder: "poll", now: moment, until: moment + 1 });
    expect(taken).toMatchObject({ messages: [{ content: "text 2" }, { content: "text 3" }] });
    expect(await ai.findAllocation(1)).toEqual({ unit: "token", max: 5000, period: "weekly" });
    expect(verifySqlite({ file })).toEqual([]);
  });

  it("mark the room as read up to each member's newest message", async () => {
    const { messages } = await openStorage({ file: firstVersion() });
    const own = (await messages.page({ groupId: 1, before: null, limit: 30 })).messages.filter(
      (message) => !message.external,
    );
    for (const userId of [1, 2]) {
      const newest = own.find((message) => message.userId === String(userId));
      expect((await messages.findReadings(userId, [1])).get(1)).toMatchObject({
        readUpTo: newest?.id ?? 0,
        unread: 30 - (newest?.seq ?? 0),
      });
    }
  });

  it("sweep files of the first version by the time of their upload", async () => {
    const { bucket } = await openStorage({ file: firstVersion() });
    const day = 86_400_000;
    const expire = (now: number) => bucket.takeExpiredFiles({ now: now + day, imagesBefore: 0, limit: 10 });
    expect(await expire(moment + 1)).toEqual([]);
    expect(await expire(moment + 2)).toMatchObject([{ md5: "1".repeat(32) }]);
  });

  it("turn no user of the previous version into a model, and models back into people", async () => {
    const file = firstVersion();
    const steps = createSqliteMigrations({ file });
    steps.up(5);
    expect(steps.up(6)).toEqual([{ version: 6, name: "user-ai" }]);
    const before = await openStorage({ file });
    expect(await before.users.listModels()).toEqual([]);
    await before.users.amendUser(2, { ai: "echo" });
    expect(await before.users.listModels()).toMatchObject([{ userId: 2, nickname: "李雷", ai: "echo" }]);
    await before.close();
    steps.down(5);
    steps.up(6);
    const again = await openStorage({ file });
    expect(await again.users.listUsers({ after: 0, limit: 10 })).toMatchObject([
      { nickname: "Ada", ai: null },
      { nickname: "李雷", ai: null },
    ]);
  });

  it("go step by step, up and down, and arrive at the same tables", () => {
    const file = firstVersion();
    const steps = createSqliteMigrations({ file });
    const before = schemaOf(file);
    expect(steps.status()).toEqual({
      version: 1,
      latest,
      outdated: 0,
      steps: migrations.map(({ version, name }) => ({ version, name, applied: version === 1 })),
    });
    const names = migrations.slice(1).map(({ name }) => name);
    expect(steps.up(2)).toEqual([{ version: 2, name: "file-put-time" }]);
    expect(steps.down()).toEqual([{ version: 2, name: "file-put-time" }]);
    expect(schemaOf(file)).toEqual(before);
    expect(steps.up().map(({ name }) => name)).toEqual(names);
    expect(steps.up()).toEqual([]);
    expect(steps.down(1).map(({ name }) => name)).toEqual(names.toReversed());
    expect(schemaOf(file)).toEqual(before);
    expect(steps.up()).toHaveLength(latest - 1);
    expect(verifySqlite({ file })).toEqual([]);
  });

  it("make the same tables in a new file as from the first version", async () => {
    const [fresh, old] = [temporaryFile(), firstVersion()];
    await openStorage({ file: fresh });
    await openStorage({ file: old });
    expect(schemaOf(fresh)).toEqual(schemaOf(old));
  });

  it("know no version below the first or above the last", () => {
    const steps = createSqliteMigrations({ file: firstVersion() });
    expect(() => steps.down()).toThrow(
      `There is no version 0 to migrate to: this Telex knows versions 1 to ${latest}.`,
    );
    expect(() => steps.up(latest + 1)).toThrow(RangeError);
    expect(steps.status().version).toBe(1);
  });

  it("that fail leave the previous version", () => {
    const file = firstVersion();
    const database = new DatabaseSync(file);
    database.exec("CREATE TABLE unused_files_by_put (x)");
    database.close();
    const steps = createSqliteMigrations({ file });
    const before = schemaOf(file);
    expect(() => steps.up()).toThrow("unused_files_by_put");
    expect(steps.status().version).toBe(1);
    expect(schemaOf(file)).toEqual(before);
  });

  it("are refused while a server works on the file", async () => {
    const file = temporaryFile();
    await openStorage({ file, exclusive: true });
    const steps = createSqliteMigrations({ file });
    expect(steps.status().version).toBe(latest);
    expect(() => steps.down()).toThrow("A Telex server is using");
    expect(steps.status().version).toBe(latest);
  });

  it("do not make a file", () => {
    const file = temporaryFile();
    expect(() => createSqliteMigrations({ file }).status()).toThrow(`There is no database at ${file}.`);
  });
});

describe("a database newer than the program", () => {
  it("is refused by everything, and stays as it is", async () => {
    const file = temporaryFile();
    await (await openStorage({ file })).close();
    const database = new DatabaseSync(file);
    database.exec("PRAGMA user_version = 99; UPDATE schema_readers SET lowest = 98");
    database.close();
    const sentence = `${file} was written by a newer Telex: it has version 99, for which a Telex of version 98 is needed, and this one has version ${latest}. Use that Telex.`;
    await expect(createSqliteStorage({ file })).rejects.toThrow(sentence);
    expect(() => createSqliteMigrations({ file }).status()).toThrow(sentence);
    expect(() => createSqliteMigrations({ file }).up()).toThrow(sentence);
    expect(() => verifySqlite({ file })).toThrow(sentence);
    const after = new DatabaseSync(file);
    expect(after.prepare("PRAGMA user_version").get()).toEqual({ user_version: 99 });
    after.close();
  });
});

describe("a database newer than the program that says that the program can work with it", () => {
  it("can be used, and keeps its version", async () => {
    const file = temporaryFile();
    await (await openStorage({ file })).close();
    const database = new DatabaseSync(file);
    const readers = (): unknown => database.prepare("SELECT lowest FROM schema_readers").get();
    expect(readers()).toEqual({ lowest: lowestReaderOf(latest) });
    database.exec(`PRAGMA user_version = ${latest + 1}; ALTER TABLE users ADD COLUMN later TEXT`);
    database.exec(`UPDATE schema_readers SET lowest = ${latest}`);
    const storage = await openStorage({ file, exclusive: true });
    await storage.users.appendUser(person());
    expect(await storage.users.listUsers({ after: 0, limit: 10 })).toHaveLength(1);
    await storage.close();
    const steps = createSqliteMigrations({ file });
    expect(steps.up()).toEqual([]);
    expect(steps.status().version).toBe(latest + 1);
    expect(verifySqlite({ file })).toEqual([]);
    expect(readers()).toEqual({ lowest: latest });
    database.exec(`UPDATE schema_readers SET lowest = ${latest + 1}`);
    database.close();
    await expect(createSqliteStorage({ file })).rejects.toMatchObject({ fault: "newer" });
  });

  it("has a lowest version of programs that never falls from one version to the next", () => {
    const lowest = migrations.map(({ version }) => lowestReaderOf(version));
    expect(lowest).toEqual(lowest.toSorted((a, b) => a - b));
    for (const { version, readableFrom = version } of migrations) expect(readableFrom).toBeLessThanOrEqual(version);
  });
});

describe("ids of networks in a database of version 26", () => {
  const statements = (file: string) => {
    const database = new DatabaseSync(file);
    const keep =
      "INSERT OR IGNORE INTO bot_messages (account, bot_message_id, id, group_id, seq) VALUES (?, ?, ?, ?, ?)";
    const find = "SELECT id, group_id, seq FROM bot_messages WHERE account = ? AND bot_message_id = ?";
    return { database, keep: database.prepare(keep), find: database.prepare(find) };
  };

  it("are kept, and then name one message in each room, also with the statements of a program of that version", async () => {
    const file = firstVersion();
    createSqliteMigrations({ file }).up(26);
    const before = statements(file);
    before.keep.run("bot-1", "m-1", 5, 1, 1);
    before.database.close();
    const storage = await openStorage({ file });
    const { messages } = storage;
    const [first] = (await messages.page({ groupId: 1, before: null, limit: 100 })).messages.slice(-1);
    expect(await messages.findNetworkMessage({ account: "bot-1", groupId: 1, messageId: "m-1" })).toEqual(first);
    const { outcome } = await messages.append({
      ...roomMessage(2, "hi"),
      network: { account: "bot-1", messageIds: ["m-1"] },
    });
    expect(outcome).toBe("appended");
    await storage.close();
    const after = statements(file);
    expect(after.keep.run("bot-1", "m-1", 5, 1, 1).changes).toBe(0);
    expect(after.keep.run("bot-1", "m-2", 5, 1, 1).changes).toBe(1);
    expect(after.find.get("bot-1", "m-2")).toEqual({ id: 5, group_id: 1, seq: 1 });
    after.database.close();
    createSqliteMigrations({ file }).down(26);
    const down = statements(file);
    expect(down.find.all("bot-1", "m-1")).toEqual([{ id: 5, group_id: 1, seq: 1 }]);
    down.database.close();
    expect(verifySqlite({ file })).toEqual([]);
  });
});

describe("accounts of networks in a database of version 28", () => {
  const columns = "account, gateway, network, official, digest, protocol, min_interval, created_at";
  const put = `INSERT OR REPLACE INTO bots (${columns}) VALUES ('a', 'onebot', 'qq', 1, 'd', 0, 1200, 1)`;
  const run = (file: string, sql: string): unknown[] => {
    const database = new DatabaseSync(file);
    const rows = database.prepare(sql).all();
    database.close();
    return rows;
  };

  it("are kept without a name, and programs of that version can use named ones", async () => {
    const file = firstVersion();
    createSqliteMigrations({ file }).up(28);
    run(file, put);
    const storage = await openStorage({ file });
    const { bots } = storage;
    expect(await bots.listBots()).toMatchObject([{ account: "a", name: null, official: true, digest: "d" }]);
    expect(await bots.amendBot("a", { name: "Tea" })).toMatchObject({ outcome: "amended", bot: { name: "Tea" } });
    expect(lowestReaderOf(29)).toBeLessThanOrEqual(28);
    expect(run(file, `SELECT ${columns} FROM bots`)).toMatchObject([{ account: "a", digest: "d" }]);
    run(file, put);
    expect(await bots.listBots()).toMatchObject([{ account: "a", name: null, official: true }]);
    await bots.amendBot("a", { name: "Tea" });
    await storage.close();
    createSqliteMigrations({ file }).down(28);
    expect(run(file, "SELECT * FROM bots")).toMatchObject([{ account: "a", official: 1, digest: "d" }]);
    expect(verifySqlite({ file })).toEqual([]);
  });
});

describe("an older database next to a running server", () => {
  it("is not changed under the server", async () => {
    const file = firstVersion();
    const running = await openStorage({ file, exclusive: true });
    createSqliteMigrations({ file });
    const database = new DatabaseSync(file);
    database.exec("PRAGMA user_version = 1");
    database.close();
    await expect(createSqliteStorage({ file })).rejects.toThrow("A Telex server is using");
    await running.close();
    rmSync(file);
  });
});
