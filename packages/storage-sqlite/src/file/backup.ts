import { closeSync, existsSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { makeDirectory, sync } from "../engine/directories.ts";
import { SqliteFileError } from "../engine/errors.ts";
import { text } from "../engine/rows.ts";
import { openFile } from "./open.ts";

/** Rows that a copy must not contain: sign-ins, links and tickets, and codes of sign-ins in progress. */
const ended = { sessions: "1", links: "1", artifacts: "grant_id IS NULL" };

/** Deletes these rows, also from the free pages of the file. A database of an earlier version does not have all tables. */
function endSignIns(file: string): void {
  const copy = openFile(file);
  try {
    copy.exec("PRAGMA secure_delete = ON");
    const tables = copy.query("SELECT name FROM sqlite_master WHERE type = 'table'", (row) => text(row, "name")).all();
    for (const [table, rows] of Object.entries(ended))
      if (tables.includes(table)) copy.exec(`DELETE FROM ${table} WHERE ${rows}`);
  } finally {
    copy.close();
  }
}

/**
 * Copies a database to a new file: a consistent state, even while a server writes, complete and on the disk when this returns.
 * The file gets its name last. The copy has no sessions, links and tickets, so that a restore ends them. Blocks the event loop,
 * so call it in a process that serves no requests.
 * @throws SqliteFileError `exists` if there is a file at `target`; `missing`, `not_a_database`, `foreign`, `newer`,
 * `unusable` for `file`
 */
export function backupSqlite(options: { readonly file: string; readonly target: string }): void {
  const target = resolve(options.target);
  if (existsSync(target)) throw new SqliteFileError("exists", `There is a file at ${target} already.`);
  const database = openFile(resolve(options.file));
  const partial = `${target}.partial`;
  try {
    makeDirectory(dirname(target));
    rmSync(partial, { force: true });
    closeSync(openSync(partial, "wx", 0o600));
    database.command("VACUUM INTO ?")(partial);
    endSignIns(partial);
    // `VACUUM INTO` does not sync the file that it writes.
    sync(partial);
    renameSync(partial, target);
    sync(dirname(target));
  } finally {
    database.close();
    rmSync(partial, { force: true });
  }
}
