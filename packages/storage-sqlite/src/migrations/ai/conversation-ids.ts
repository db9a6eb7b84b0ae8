import type { Migration } from "../../engine/migration.ts";

/** Adds an index for the search in the conversations of a user, which reads them by id. Older programs ignore it. */
export const conversationIds: Migration = {
  version: 43,
  readableFrom: 21,
  name: "conversation-ids",
  up: "CREATE INDEX conversations_by_id ON conversations (user_id)",
  down: "DROP INDEX conversations_by_id",
};
