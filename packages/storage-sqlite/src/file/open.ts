import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { Database } from "../engine/database.ts";
import { makeDirectory, makePrivateFile } from "../engine/directories.ts";
import { fileError, SqliteFileError } from "../engine/errors.ts";
import { currentVersion } from "../migrations/all.ts";
import { integer } from "../engine/rows.ts";

/** Marks a database file of Telex: "TELX" in the header of the file. */
export const applicationId = 0x54454c58;

/**
 * Creates an empty file that only its owner can read, and its folder, unless they exist. The files that SQLite creates next to it get
 * the same rights.
 * @throws SqliteFileError `unusable`
 */
export function createFile(file: string): void {
  if (existsSync(file)) return;
  try {
    makeDirectory(dirname(file));
    makePrivateFile(file);
  } catch (error) {
    throw fileError(file, error);
  }
}

/**
 * Opens a file that may or may not contain a database, and returns its version: 0 for an empty file.
 * @throws SqliteFileError `missing`, `not_a_database`, `foreign`, `newer`, `unusable`
 */
export function openFile(file: string, options: { readonly readOnly?: boolean } = {}): Database {
  if (!existsSync(file)) throw new SqliteFileError("missing", `There is no database at ${file}.`);
  let database: Database | undefined;
  try {
    database = new Database(file, options);
    checkVersion(file, database);
    return database;
  } catch (error) {
    database?.close();
    throw fileError(file, error);
  }
}

/** The version of a database: the number of migrations that were applied. */
export const versionOf = (database: Database): number => Number(database.pragma("user_version"));

function checkVersion(file: string, database: Database): void {
  const version = versionOf(database);
  const isEmpty = Number(database.pragma("schema_version")) === 0;
  if (!isEmpty && database.pragma("application_id") !== applicationId)
    throw new SqliteFileError("foreign", `${file} is a database of another program.`);
  if (version <= currentVersion) return;
  const lowest = lowestReader(database);
  if (currentVersion >= lowest) return;
  const versions = `it has version ${version}, for which a Telex of version ${lowest} is needed, and this one has version ${currentVersion}`;
  throw new SqliteFileError("newer", `${file} was written by a newer Telex: ${versions}. Use that Telex.`);
}

/** The lowest version of a program that can work on a database of a later version. The program that migrated it has stored it. */
function lowestReader(database: Database): number {
  const lowest = database.query("SELECT lowest FROM schema_readers", (row) => integer(row, "lowest"));
  return lowest.one() ?? Number.POSITIVE_INFINITY;
}
