import { chmodSync, existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { createSqliteStorage } from "../src/index.ts";
import { openStorage, temporaryFile, temporaryFolder } from "./support.ts";

const rightsOf = (file: string): number => statSync(file).mode & 0o777;

test("everything next to a database belongs to its owner alone", async () => {
  const file = join(temporaryFolder(), "made", "telex.db");
  const storage = await openStorage({ file, exclusive: true });
  await storage.probe();
  const files = readdirSync(dirname(file));
  expect(files.toSorted()).toEqual([
    "telex.db",
    "telex.db-shm",
    "telex.db-wal",
    "telex.db.lock",
    "telex.db.lock-journal",
  ]);
  for (const name of files)
    expect({ name, rights: rightsOf(join(dirname(file), name)) }).toEqual({ name, rights: 0o600 });
  expect(rightsOf(dirname(file))).toBe(0o700);
});

test("a lock file that others can read becomes private", async () => {
  const file = temporaryFile();
  writeFileSync(`${file}.lock`, "");
  chmodSync(`${file}.lock`, 0o644);
  await openStorage({ file, exclusive: true });
  expect(rightsOf(`${file}.lock`)).toBe(0o600);
});

test.each([
  ["no database", (file: string) => writeFileSync(file, "no database ".repeat(1000)), "not_a_database"],
  [
    "a database of another program",
    (file: string) => {
      const other = new DatabaseSync(file);
      other.exec("CREATE TABLE other (id INTEGER)");
      other.close();
    },
    "foreign",
  ],
])("a file that is %s is refused, and nothing is left next to it", async (_what, write, fault) => {
  const file = temporaryFile();
  write(file);
  await expect(createSqliteStorage({ file, exclusive: true })).rejects.toMatchObject({ fault });
  expect(readdirSync(dirname(file))).toEqual(["telex.db"]);
});

// Node's recursive mkdir would never end there.
test.runIf(existsSync("/proc/self"))("a folder that cannot be made is refused", async () => {
  const made = createSqliteStorage({ file: "/proc/telex-test/data/telex.db" });
  await expect(made).rejects.toMatchObject({ fault: "unusable" });
});
