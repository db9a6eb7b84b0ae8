import { resolve } from "node:path";
import type { Database } from "../engine/database.ts";
import { openFile, versionOf } from "./open.ts";
import { ServerLock } from "../engine/server-lock.ts";
import { currentVersion, migrations } from "../migrations/all.ts";
import { prepareOutdated } from "../sql/messages.ts";
import { migrateDown, migrateUp } from "./migrate.ts";
import type { Migration } from "../engine/migration.ts";
import { renewal } from "../migrations/messages/renewal.ts";

/** One step between two versions of the database. */
export interface MigrationStep {
  /** 1 and above: the version after the step. */
  readonly version: number;
  /** The subject of the step, in a few words. */
  readonly name: string;
}

/** The version of a database, and the steps that this program knows. */
export interface MigrationStatus {
  /** The version of the database; 0 for an empty file. */
  readonly version: number;
  /** The version that this program works with. */
  readonly latest: number;
  /** Messages of an earlier version whose pinyin and terms a running server renews. */
  readonly outdated: number;
  /** Every step that this program knows, in order. */
  readonly steps: readonly (MigrationStep & { readonly applied: boolean })[];
}

/** The migrations of one database file. It must not be in use by a server. */
export interface SqliteMigrations {
  /**
   * Reads the version. Changes nothing, and may run while a server uses the file.
   * @throws SqliteFileError `missing`, `not_a_database`, `foreign`, `newer`, `unusable`
   */
  status(): MigrationStatus;
  /**
   * Migrates the database up to a version, by default the latest. Returns the steps that it applied.
   * @throws SqliteFileError as `status`, and `in_use` while a server works on the file; RangeError for an unknown version
   */
  up(to?: number): readonly MigrationStep[];
  /**
   * Migrates the database down to a version, by default the previous one. Returns the steps that it undid.
   * @throws SqliteFileError as `up`; RangeError for an unknown version, and below the first
   */
  down(to?: number): readonly MigrationStep[];
}

/** The migrations of a database file. Every call opens and closes it. */
export function createSqliteMigrations(options: { readonly file: string }): SqliteMigrations {
  const file = resolve(options.file);
  return {
    status: () => readStatus(file),
    up(to = currentVersion) {
      checkTarget(to);
      return withDatabase(file, (database) => migrateUp(database, to).map(toStep));
    },
    down: (to) =>
      withDatabase(file, (database) => {
        const target = to ?? versionOf(database) - 1;
        checkTarget(target);
        return migrateDown(database, target).map(toStep);
      }),
  };
}

const toStep = ({ version, name }: Migration): MigrationStep => ({ version, name });

function checkTarget(version: number): void {
  if (migrations.some((migration) => migration.version === version)) return;
  throw new RangeError(
    `There is no version ${version} to migrate to: this Telex knows versions 1 to ${currentVersion}.`,
  );
}

function readStatus(file: string): MigrationStatus {
  const database = openFile(file, { readOnly: true });
  try {
    const version = versionOf(database);
    const steps = migrations.map((step) => ({ ...toStep(step), applied: step.version <= version }));
    const outdated = version < renewal.version ? 0 : prepareOutdated(database).count.only(Number.MAX_SAFE_INTEGER);
    return { version, latest: currentVersion, outdated, steps };
  } finally {
    database.close();
  }
}

/** Runs on a file that no server uses. */
function withDatabase<T>(file: string, run: (database: Database) => T): T {
  const database = openFile(file);
  try {
    const lock = new ServerLock(file);
    try {
      database.prepareForWriting();
      return run(database);
    } finally {
      lock.release();
    }
  } finally {
    database.close();
  }
}
