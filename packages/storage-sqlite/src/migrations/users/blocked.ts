import type { Migration } from "../../engine/migration.ts";

/** Adds the users whom a user has blocked. Older programs ignore the column, so for them no user is blocked. */
export const blocked: Migration = {
  version: 36,
  readableFrom: 21,
  name: "blocked",
  up: "ALTER TABLE accounts ADD COLUMN blocked TEXT NOT NULL DEFAULT '[]';",
  down: "ALTER TABLE accounts DROP COLUMN blocked;",
};
