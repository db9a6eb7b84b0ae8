import type { Migration } from "../../engine/migration.ts";

/** Adds the saved prompts of users. Older programs ignore the column. */
export const prompts: Migration = {
  version: 44,
  readableFrom: 21,
  name: "prompts",
  up: "ALTER TABLE accounts ADD COLUMN prompts TEXT NOT NULL DEFAULT '[]';",
  down: "ALTER TABLE accounts DROP COLUMN prompts;",
};
