import type { Migration } from "../../engine/migration.ts";

/**
 * Adds read positions, recalls, and pictures of rooms. Existing users have read a room up to their own newest message. Earlier uses of files
 * by messages are not known: room 0 stands for them.
 */
export const roomReading: Migration = {
  version: 12,
  name: "room-reading",
  up: `
    ALTER TABLE groups ADD COLUMN avatar TEXT;
    CREATE TABLE read_markers (
      group_id INTEGER NOT NULL,
      user_id INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      PRIMARY KEY (group_id, user_id)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO read_markers
      SELECT group_id, CAST(user_id AS INTEGER), max(seq) FROM messages WHERE external = 0 GROUP BY group_id, user_id;
    CREATE TABLE message_recalls (
      group_id INTEGER NOT NULL,
      id INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      operator_id TEXT,
      external INTEGER NOT NULL,
      PRIMARY KEY (group_id, id),
      UNIQUE (group_id, seq)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE file_uses (
      md5 TEXT NOT NULL REFERENCES files ON DELETE CASCADE,
      group_id INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      PRIMARY KEY (md5, group_id, seq)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX file_uses_of_message ON file_uses (group_id, seq);
    INSERT INTO file_uses SELECT md5, 0, 0 FROM files WHERE used_at IS NOT NULL;
  `,
  down: `
    DROP TABLE file_uses;
    DROP TABLE message_recalls;
    DROP TABLE read_markers;
    ALTER TABLE groups DROP COLUMN avatar;
  `,
};
