import type { Migration } from "../../engine/migration.ts";

/** Removes the separate record of the newest message of each room: the key of the messages finds it as fast. */
export const messageHeads: Migration = {
  version: 7,
  name: "message-heads",
  up: "DROP TABLE message_heads",
  down: `
    CREATE TABLE message_heads (
      group_id INTEGER PRIMARY KEY,
      seq INTEGER NOT NULL,
      id INTEGER NOT NULL
    ) STRICT;
    INSERT INTO message_heads SELECT group_id, max(seq), max(id) FROM messages GROUP BY group_id;
  `,
};
