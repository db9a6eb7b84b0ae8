import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createSqliteMigrations, verifySqlite } from "../src/index.ts";
import { migrations } from "../src/migrations/all.ts";
import { openStorage, startChild, temporaryFile } from "./support.ts";

const latest = migrations.length;

/** A database with the data of the first version, upgraded to a later version. */
function versionOf(version: number): string {
  const file = temporaryFile();
  writeFileSync(file, gunzipSync(readFileSync(new URL("fixtures/version-1.db.gz", import.meta.url))));
  if (version > 1) createSqliteMigrations({ file }).up(version);
  return file;
}

/** Every row of every table. */
function contentOf(file: string): Readonly<Record<string, readonly unknown[]>> {
  const database = new DatabaseSync(file, { readOnly: true });
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  const rows = tables.map(
    ({ name }) => [String(name), database.prepare(`SELECT * FROM "${String(name)}"`).all()] as const,
  );
  database.close();
  return Object.fromEntries(rows);
}

/** Opens a database as a server does, which brings it up to date. */
async function upgrade(file: string) {
  const storage = await openStorage({ file, exclusive: true });
  await storage.close();
  expect(createSqliteMigrations({ file }).status().version).toBe(latest);
  expect(verifySqlite({ file })).toEqual([]);
  return contentOf(file);
}

/**
 * The files on the disk after a kill in the middle of a step: all changes of the step were made, and written as far as SQLite writes
 * before a commit, but not committed.
 */
function killedDuring(version: number): string {
  const file = versionOf(version - 1);
  const database = new DatabaseSync(file);
  // With a cache of one page, changes go to the log before the commit.
  database.exec("PRAGMA journal_mode = WAL; PRAGMA cache_size = 1; BEGIN IMMEDIATE");
  database.exec(`${migrations[version - 1]?.up}; PRAGMA user_version = ${version}`);
  const left = temporaryFile();
  for (const end of ["", "-wal"]) if (existsSync(file + end)) copyFileSync(file + end, left + end);
  database.exec("ROLLBACK");
  database.close();
  return left;
}

describe("an upgrade to the newest version", () => {
  const later = migrations.slice(1).map(({ version, name }) => [version, name] as const);

  it.each(later)("has the same content from version %i (%s) on as from the first one", async (version) => {
    const [direct, inSteps] = [await upgrade(versionOf(1)), await upgrade(versionOf(version))];
    expect(Object.keys(direct).length).toBeGreaterThan(20);
    expect(inSteps).toEqual(direct);
  });

  it.each(later)(
    "that is killed in the step to version %i (%s) continues from the previous version",
    async (version) => {
      const left = killedDuring(version);
      expect(createSqliteMigrations({ file: left }).status().version).toBe(version - 1);
      expect(await upgrade(left)).toEqual(await upgrade(versionOf(1)));
    },
  );

  it("leaves partial work when it is killed, so these cases test an interrupted step", () => {
    const written = later.filter(([version]) => {
      const log = `${killedDuring(version)}-wal`;
      return existsSync(log) && statSync(log).size > 0;
    });
    expect(written.length).toBeGreaterThan(0);
  });
});

/** Adds rows to the room of the first version, so that steps take a while and write more than SQLite caches in memory. */
function grow(file: string, rows: number): void {
  const database = new DatabaseSync(file);
  // As in a server: readers and a writer do not wait for each other.
  database.exec("PRAGMA journal_mode = WAL");
  const columns = database.prepare("SELECT name FROM pragma_table_info('messages')").all();
  const names = columns.map(({ name }) => String(name));
  const values = names.map((name) => (name === "id" || name === "seq" ? `${name} + n` : name)).join(", ");
  database.exec(`
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${rows})
    INSERT INTO messages (${names.join(", ")}) SELECT ${values} FROM messages, numbers WHERE seq = 30;
    UPDATE counters SET value = value + ${rows} WHERE name = 'message'`);
  database.close();
}

/** Reads the version of a database repeatedly, over a read-only connection. */
function watchVersion(file: string) {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  const read = database.prepare("PRAGMA user_version");
  return { version: () => Number(read.get()?.["user_version"]), close: () => database.close() };
}

/** Starts a process that upgrades and appends, and collects its output. */
function startWriter(file: string, name: string, role: "server" | "command") {
  const child = startChild("upgrade-and-append.ts", file, name, role);
  const printed: string[] = [];
  child.lines.on("line", (line) => printed.push(line));
  return { ...child, printed };
}

/** Kills a server when it has applied some of the steps. False if it was faster. */
async function killInTheMiddle(file: string, name: string, acknowledged: string[]): Promise<boolean> {
  const [server, command] = [startWriter(file, name, "server"), startWriter(file, `${name}-command`, "command")];
  let isOver = false;
  void server.exited.then(() => (isOver = true));
  const watch = watchVersion(file);
  const before = watch.version();
  const isThere = (): boolean => isOver || server.printed.includes("open") || watch.version() > before;
  await expect.poll(isThere, { interval: 1, timeout: 30_000 }).toBe(true);
  for (const one of [server, command]) {
    one.kill();
    await one.exited;
    acknowledged.push(...one.printed.filter((line) => line !== "open"));
  }
  const version = watch.version();
  watch.close();
  return version > 1 && version < latest;
}

describe("an upgrade under load", () => {
  it("continues after SIGKILL in the middle, and loses no acknowledged write", { timeout: 60_000 }, async () => {
    let kills = 0;
    for (let attempt = 0; kills === 0 && attempt < 10; attempt += 1) {
      const file = versionOf(1);
      grow(file, 5000);
      const acknowledged: string[] = [];
      for (let round = 0; round < 2; round += 1) {
        if (await killInTheMiddle(file, `${round}`, acknowledged)) kills += 1;
      }
      const server = startWriter(file, "last", "server");
      // Only one process upgrades. Others are rejected until it has finished.
      await expect.poll(() => server.printed.includes("open"), { timeout: 30_000 }).toBe(true);
      const writers = [server, startWriter(file, "last-command", "command")];
      await expect.poll(() => writers.every(({ printed }) => printed.length > 20), { timeout: 30_000 }).toBe(true);
      for (const writer of writers) {
        writer.kill();
        await writer.exited;
        acknowledged.push(...writer.printed.filter((line) => line !== "open"));
      }
      expect(verifySqlite({ file })).toEqual([]);
      const { messages } = await openStorage({ file, exclusive: true });
      expect((await messages.page({ groupId: 1, before: null, limit: 1 })).newest).toBe(5030);
      const kept = contentOf(file)["messages"]?.map((row) => contentIn(row)) ?? [];
      expect(acknowledged.filter((content) => !kept.includes(content))).toEqual([]);
    }
    expect(kills).toBeGreaterThan(0);
  });
});

const contentIn = (row: unknown): unknown =>
  typeof row === "object" && row !== null && "content" in row ? row.content : null;
