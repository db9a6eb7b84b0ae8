import type { Migration } from "../../engine/migration.ts";

/**
 * Until then every message was indexed while it was stored. From here on many are indexed together, later; all messages that exist
 * get their terms again from a running server.
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
