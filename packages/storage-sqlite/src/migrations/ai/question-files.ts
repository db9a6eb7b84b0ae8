import type { Migration } from "../../engine/migration.ts";

/** Adds the files of questions. Older programs ignore the new column. */
export const questionFiles: Migration = {
  version: 42,
  readableFrom: 21,
  name: "question-files",
  up: "ALTER TABLE conversation_messages ADD COLUMN files TEXT",
  down: "ALTER TABLE conversation_messages DROP COLUMN files",
};
