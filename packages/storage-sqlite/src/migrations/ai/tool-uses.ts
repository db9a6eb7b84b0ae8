import type { Migration } from "../../engine/migration.ts";

/** The calls of tools for replies. A program of an earlier version ignores the new column. */
export const toolUses: Migration = {
  version: 39,
  readableFrom: 21,
  name: "tool-uses",
  up: "ALTER TABLE conversation_messages ADD COLUMN uses TEXT",
  down: "ALTER TABLE conversation_messages DROP COLUMN uses",
};
