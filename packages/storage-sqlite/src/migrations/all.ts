import { base } from "./base.ts";
import { filePutTime } from "./file-put-time.ts";
import type { Migration } from "./migration.ts";

/** Every migration, in order. */
export const migrations: readonly Migration[] = [base, filePutTime];

/** The version that this program works with. */
export const currentVersion: number = migrations.length;
