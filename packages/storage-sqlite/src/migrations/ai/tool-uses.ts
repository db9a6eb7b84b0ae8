import type { Migration } from "../../engine/migration.ts";

/** Adds the tool calls of replies. Older programs ignore the new column. */
export const toolUses: Migration = {
  version: 39,
  readableFrom: 21,
  name: "tool-uses",
  up: "ALTER TABLE conversation_messages ADD COLUMN uses TEXT",
  down: "ALTER TABLE conversation_messages DROP COLUMN uses",
};
