import type { Migration } from "../../engine/migration.ts";

/**
 * Indexes messages later, many together. Earlier, each message was indexed when it was stored. A running server indexes all existing
 * messages again.
 */
export const searchInBackground: Migration = {
  version: 16,
  name: "search-in-background",
  up: `
    DELETE FROM message_signatures;
    DELETE FROM message_slices;
    DELETE FROM message_blocks;
    DROP TABLE search_backlog;
    CREATE TABLE search_rooms (
      group_id INTEGER PRIMARY KEY,
      ready INTEGER NOT NULL,
      indexed INTEGER NOT NULL,
      blocks INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX search_backlog ON search_rooms (group_id) WHERE indexed < ready;
    INSERT INTO search_rooms SELECT group_id, max(seq) - max(seq) % 16, 0, 0 FROM messages GROUP BY group_id;
  `,
  down: `
    DELETE FROM message_signatures;
    DELETE FROM message_slices;
    DELETE FROM message_blocks;
    DROP TABLE search_rooms;
    CREATE TABLE search_backlog (
      group_id INTEGER PRIMARY KEY,
      done INTEGER NOT NULL,
      up_to INTEGER NOT NULL
    ) STRICT;
    INSERT INTO search_backlog SELECT group_id, 0, max(seq) FROM messages GROUP BY group_id;
  `,
};
