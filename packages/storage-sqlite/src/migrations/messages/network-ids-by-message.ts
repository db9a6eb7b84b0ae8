import type { Migration } from "../../engine/migration.ts";

/** Adds an index for all ids of a message in its network. */
export const networkIdsByMessage: Migration = {
  version: 22,
  readableFrom: 21,
  name: "network-ids-by-message",
  up: "CREATE INDEX bot_messages_by_message ON bot_messages (group_id, seq)",
  down: "DROP INDEX bot_messages_by_message",
};
