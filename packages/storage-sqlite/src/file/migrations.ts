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

/** Where a database stands. */
export interface MigrationStatus {
  /** The version of the database; 0 for an empty file. */
  readonly version: number;
  /** The version that this program works with. */
  readonly latest: number;
  /** Messages that an earlier version has stored, and to which a running server gives their pinyin and their terms again. */
  readonly outdated: number;
  /** Every step that this program knows, in order. */
  readonly steps: readonly (MigrationStep & { readonly applied: boolean })[];
}

/** The migrations of one database file. Not while a server works on it. */
export interface SqliteMigrations {
  /**
   * Where the database stands. Changes nothing, and may run while a server uses the file.
   * @throws SqliteFileError `missing`, `not_a_database`, `foreign`, `newer`, `unusable`
   */
  status(): MigrationStatus;
  /**
   * Brings the database up to a version, by default the latest. Answers the steps made.
   * @throws SqliteFileError as `status`, and `in_use` while a server works on the file; RangeError for an unknown version
   */
  up(to?: number): readonly MigrationStep[];
  /**
   * Takes the database down to a version, by default the one before. Answers the steps undone.
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

/** Works on a file that no server works on. */
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
