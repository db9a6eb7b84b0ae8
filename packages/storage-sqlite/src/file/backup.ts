import { closeSync, existsSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { makeDirectory, sync } from "../engine/directories.ts";
import { SqliteFileError } from "../engine/errors.ts";
import { openFile } from "./open.ts";

/**
 * Copies a database to a new file: one consistent state of it, also while a server writes, complete and on the disk when
 * this returns. Nobody sees a part of it. Works without a pause, so call it in a process that serves nobody.
 * @throws SqliteFileError `exists` when there is a file at `target`; `missing`, `not_a_database`, `foreign`, `newer`,
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
    // `VACUUM INTO` does not sync what it writes.
    sync(partial);
    renameSync(partial, target);
    sync(dirname(target));
  } finally {
    database.close();
    rmSync(partial, { force: true });
  }
}
