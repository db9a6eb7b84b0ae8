import type { Migration } from "../../engine/migration.ts";

/** Adds names for people to accounts of external networks. Older programs ignore the name: an account that they change loses it. */
export const botNames: Migration = {
  version: 29,
  readableFrom: 21,
  name: "bot-names",
  up: "ALTER TABLE bots ADD COLUMN name TEXT;",
  down: "ALTER TABLE bots DROP COLUMN name;",
};
