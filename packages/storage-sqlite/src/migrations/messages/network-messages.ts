import type { Migration } from "../../engine/migration.ts";

/** Adds messages from external networks, and the files of messages. */
export const networkMessages: Migration = {
  version: 11,
  name: "network-messages",
  up: `
    CREATE TABLE message_files (
      group_id INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      position INTEGER NOT NULL,
      relative_path TEXT NOT NULL,
      PRIMARY KEY (group_id, seq, position)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE network_people (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      network TEXT NOT NULL,
      ext TEXT NOT NULL,
      UNIQUE (network, ext)
    ) STRICT;
  `,
  down: `
    DROP TABLE message_files;
    DROP TABLE network_people;
  `,
};
