import type { MigrationStatus, MigrationStep, SqliteMigrations } from "@telex/storage-sqlite";
import type { Command } from "commander";
import { configOf, printResult, talkOf } from "../options/command.ts";
import { messageOf, UsageError } from "../errors/errors.ts";
import { printTable } from "../terminal/output.ts";
import { settings } from "../settings/table.ts";
import { isMongo } from "../storage/mongo.ts";
import { refuseFile } from "../storage/place.ts";
import type { Talk } from "../terminal/talk.ts";
import { sqliteFileOf } from "./sqlite-file.ts";

async function migrationsOf(command: Command): Promise<SqliteMigrations> {
  const config = await configOf(command);
  if (isMongo(config.get(settings.storage))) {
    throw new UsageError(
      "telex migrate status, up and down are for SQLite databases. A server brings a MongoDB database up to date when it starts.",
    );
  }
  const file = sqliteFileOf(config);
  const { createSqliteMigrations } = await import("@telex/storage-sqlite");
  return createSqliteMigrations({ file });
}

function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(messageOf(error), { cause: error });
    return refuseFile(error);
  }
}

/** `telex migrate status` */
export async function showStatus(command: Command): Promise<void> {
  const migrations = await migrationsOf(command);
  const status = attempt(() => migrations.status());
  printResult(command, status, () => show(status, talkOf(command)));
}

function show({ steps, version, latest, outdated }: MigrationStatus, talk: Talk): void {
  const rows = steps.map((step) => [step.version, step.name, step.applied]);
  printTable(["version", "step", "applied"], rows);
  talk.note(`The database has version ${version}; this Telex works with version ${latest}.`);
  if (outdated > 0) talk.note(`${outdated} messages of an earlier version get their pinyin again while a server runs.`);
}

/** `telex migrate up` and `telex migrate down` */
export async function migrate(command: Command, direction: "up" | "down", to: number | undefined): Promise<void> {
  const migrations = await migrationsOf(command);
  const steps = attempt(() => migrations[direction](to));
  const { version } = migrations.status();
  const done = `${said(direction, steps)} The database has version ${version}.`;
  printResult(command, { version, steps }, () => talkOf(command).done(done));
}

function said(direction: "up" | "down", steps: readonly MigrationStep[]): string {
  if (steps.length === 0) return "There was nothing to do.";
  const names = steps.map(({ version, name }) => `${version} (${name})`).join(", ");
  return direction === "up" ? `Made ${names}.` : `Undid ${names}.`;
}
