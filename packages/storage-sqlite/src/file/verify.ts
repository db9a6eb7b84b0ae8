import { resolve } from "node:path";
import type { Database } from "../engine/database.ts";
import { openFile, versionOf } from "./open.ts";
import { integer, type Row, text } from "../engine/rows.ts";
import { currentVersion } from "../migrations/all.ts";

/** A rule that every database must meet, as a query for the rows that break it. */
interface Rule {
  readonly sql: string;
  readonly describe: (row: Row) => string;
}

const rules: readonly Rule[] = [
  {
    sql: `SELECT group_id, count(*) AS messages, max(seq) AS newest FROM messages GROUP BY group_id
      HAVING messages <> newest`,
    describe: (row) => `Room ${integer(row, "group_id")} has gaps in its history.`,
  },
  {
    sql: `SELECT device_id FROM devices WHERE waiting <>
      (SELECT count(*) FROM device_messages AS m WHERE m.device_id = devices.device_id AND delivered = 0)`,
    describe: (row) => `Device ${text(row, "device_id")} has a wrong count of waiting messages.`,
  },
  {
    sql: `SELECT name FROM counters WHERE value < (SELECT coalesce(max(id), 0) FROM messages) AND name = 'message'
      OR value < (SELECT coalesce(max(id), 0) FROM device_messages) AND name = 'device_message' ORDER BY name`,
    describe: (row) => `The counter of ${text(row, "name")} is behind the greatest id.`,
  },
];

/**
 * Checks a database, even while a server uses it: that the file is intact, and that counters agree with the rows that they
 * count. The time is proportional to the size of the file.
 * @returns a sentence for each fault, none for a sound database
 * @throws SqliteFileError `missing`, `not_a_database`, `foreign`, `newer`, `unusable`
 */
export function verifySqlite(options: { readonly file: string }): readonly string[] {
  const database = openFile(resolve(options.file));
  try {
    const damage = [...findDamage(database), ...findOrphans(database)];
    return damage.length > 0 || versionOf(database) < currentVersion ? damage : findBroken(database);
  } finally {
    database.close();
  }
}

function findDamage(database: Database): readonly string[] {
  const check = database.query("PRAGMA quick_check", (row) => text(row, "quick_check"));
  try {
    return check.all().filter((answer) => answer !== "ok");
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

const findOrphans = (database: Database): readonly string[] =>
  database.query("PRAGMA foreign_key_check", (row) => `A row of ${text(row, "table")} refers to a missing row.`).all();

const findBroken = (database: Database): readonly string[] =>
  database.together(() => rules.flatMap(({ sql, describe }) => database.query(sql, describe).all()));
