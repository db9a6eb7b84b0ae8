import type { Database } from "../engine/database.ts";
import { applicationId, versionOf } from "./open.ts";
import { lowestReaderOf, migrations } from "../migrations/all.ts";
import type { Migration } from "../engine/migration.ts";
import { schemaReaders } from "../migrations/schema-readers.ts";

/** Migrates a database up to a version, each step in its own transaction. Returns the steps that this call applied. */
export function migrateUp(database: Database, version: number): readonly Migration[] {
  return migrations.filter((migration) => migration.version <= version && stepUp(database, migration));
}

/** Migrates a database down to a version, each step in its own transaction. Returns the steps that this call undid. */
export function migrateDown(database: Database, version: number): readonly Migration[] {
  return migrations.toReversed().filter((migration) => migration.version > version && stepDown(database, migration));
}

/** False if the step was already applied, perhaps by another process a moment ago. */
const stepUp = (database: Database, { version, up }: Migration): boolean =>
  inTransaction(database, () => {
    if (versionOf(database) >= version) return false;
    database.exec(`${up}; PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version}`);
    noteReaders(database, version);
    return true;
  });

const stepDown = (database: Database, { version, down }: Migration): boolean =>
  inTransaction(database, () => {
    if (versionOf(database) < version || down === null) return false;
    database.exec(`${down}; PRAGMA user_version = ${version - 1}`);
    noteReaders(database, version - 1);
    return true;
  });

/** Stores which programs can use the database. Databases before version 21 have no column for it. */
function noteReaders(database: Database, version: number): void {
  if (version >= schemaReaders.version) database.exec(`UPDATE schema_readers SET lowest = ${lowestReaderOf(version)}`);
}

function inTransaction<T>(database: Database, run: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = run();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    if (database.inTransaction) database.exec("ROLLBACK");
    throw error;
  }
}
