import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createSqliteMigrations, verifySqlite } from "../src/index.ts";
import { migrations } from "../src/migrations/all.ts";
import { openStorage, temporaryFile } from "./support.ts";

const latest = migrations.length;

/** A database with the data of the first version, as the Telex of a later version left it. */
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
 * What a kill in the middle of a step leaves on the disk: the files at a moment when all changes of the step were made, and written as
 * far as SQLite writes before a commit, but not committed.
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

  it.each(later)("that is killed in the step to version %i (%s) goes on from the version before", async (version) => {
    const left = killedDuring(version);
    expect(createSqliteMigrations({ file: left }).status().version).toBe(version - 1);
    expect(await upgrade(left)).toEqual(await upgrade(versionOf(1)));
  });

  it("leaves something behind when it is killed, so that these cases try what they say", () => {
    const written = later.filter(([version]) => {
      const log = `${killedDuring(version)}-wal`;
      return existsSync(log) && statSync(log).size > 0;
    });
    expect(written.length).toBeGreaterThan(0);
  });
});
