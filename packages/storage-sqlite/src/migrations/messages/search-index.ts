import type { Migration } from "../../engine/migration.ts";

/** Adds the search in messages. A running server indexes the existing messages. */
export const searchIndex: Migration = {
  version: 14,
  name: "search-index",
  up: `
    CREATE TABLE message_signatures (
      id INTEGER PRIMARY KEY,
      group_id INTEGER NOT NULL,
      chunk INTEGER NOT NULL,
      bits BLOB NOT NULL,
      UNIQUE (group_id, chunk)
    ) STRICT;
    CREATE TABLE message_slices (
      group_id INTEGER NOT NULL,
      block INTEGER NOT NULL,
      bit INTEGER NOT NULL,
      bits BLOB NOT NULL,
      PRIMARY KEY (group_id, block, bit)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE message_blocks (
      group_id INTEGER NOT NULL,
      block INTEGER NOT NULL,
      oldest INTEGER NOT NULL,
      newest INTEGER NOT NULL,
      PRIMARY KEY (group_id, block)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE search_backlog (
      group_id INTEGER PRIMARY KEY,
      done INTEGER NOT NULL,
      up_to INTEGER NOT NULL
    ) STRICT;
    INSERT INTO search_backlog SELECT group_id, 0, max(seq) FROM messages GROUP BY group_id;
  `,
  down: `
    DROP TABLE search_backlog;
    DROP TABLE message_blocks;
    DROP TABLE message_slices;
    DROP TABLE message_signatures;
  `,
};
