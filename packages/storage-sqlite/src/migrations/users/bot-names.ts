import type { Migration } from "../../engine/migration.ts";

/** Until then accounts of external networks had no name for people. Older programs do not look at it: an account that they change loses it. */
export const botNames: Migration = {
  version: 29,
  readableFrom: 21,
  name: "bot-names",
  up: "ALTER TABLE bots ADD COLUMN name TEXT;",
  down: "ALTER TABLE bots DROP COLUMN name;",
};
