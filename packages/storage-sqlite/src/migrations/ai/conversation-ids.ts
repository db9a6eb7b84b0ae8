import type { Migration } from "../../engine/migration.ts";

/** A search reads the conversations of a user by their ids, which an index always has. A program of an earlier version ignores it. */
export const conversationIds: Migration = {
  version: 43,
  readableFrom: 21,
  name: "conversation-ids",
  up: "CREATE INDEX conversations_by_id ON conversations (user_id)",
  down: "DROP INDEX conversations_by_id",
};
