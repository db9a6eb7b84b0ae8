import type { Migration } from "../../engine/migration.ts";

/** Earlier, people blocked nobody. Older programs ignore the column, and with it who is blocked. */
export const blocked: Migration = {
  version: 36,
  readableFrom: 21,
  name: "blocked",
  up: "ALTER TABLE accounts ADD COLUMN blocked TEXT NOT NULL DEFAULT '[]';",
  down: "ALTER TABLE accounts DROP COLUMN blocked;",
};
