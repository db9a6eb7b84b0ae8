import type { Migration } from "../../engine/migration.ts";

/** Adds edits, reactions, pins and levels of rooms. Older programs ignore the new columns, and keep the reactions of a message that they recall. */
export const amendedMessages: Migration = {
  version: 35,
  readableFrom: 21,
  name: "amended-messages",
  up: `
    ALTER TABLE messages ADD COLUMN mentions TEXT;
    ALTER TABLE messages ADD COLUMN extras TEXT;
    ALTER TABLE messages ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX message_mentions ON messages (group_id, seq, mentions) WHERE mentions IS NOT NULL;
    CREATE INDEX amended_messages ON messages (group_id, changed) WHERE changed > 0;
    ALTER TABLE groups ADD COLUMN pins TEXT NOT NULL DEFAULT '[]';
    ALTER TABLE group_members ADD COLUMN notify TEXT NOT NULL DEFAULT 'default';
    ALTER TABLE group_members ADD COLUMN muted_until INTEGER NOT NULL DEFAULT 0;
  `,
  down: `
    ALTER TABLE group_members DROP COLUMN muted_until;
    ALTER TABLE group_members DROP COLUMN notify;
    ALTER TABLE groups DROP COLUMN pins;
    DROP INDEX amended_messages;
    DROP INDEX message_mentions;
    ALTER TABLE messages DROP COLUMN changed;
    ALTER TABLE messages DROP COLUMN extras;
    ALTER TABLE messages DROP COLUMN mentions;
  `,
};
