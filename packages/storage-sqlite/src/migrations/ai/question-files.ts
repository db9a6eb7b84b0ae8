import type { Migration } from "../../engine/migration.ts";

/** The files of questions. A program of an earlier version ignores the new column. */
export const questionFiles: Migration = {
  version: 42,
  readableFrom: 21,
  name: "question-files",
  up: "ALTER TABLE conversation_messages ADD COLUMN files TEXT",
  down: "ALTER TABLE conversation_messages DROP COLUMN files",
};
