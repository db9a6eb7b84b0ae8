import type { Migration } from "../../engine/migration.ts";

/**
 * Adds the edition of messages. Earlier, the pinyin of traditional words was derived character by character. A running server renews messages
 * without an edition. Older programs store messages without one.
 */
export const renewal: Migration = {
  version: 26,
  readableFrom: 21,
  name: "renewal",
  up: `
    ALTER TABLE messages ADD COLUMN edition INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX outdated_messages ON messages (group_id, seq) WHERE edition = 0;
  `,
  down: `
    DROP INDEX outdated_messages;
    ALTER TABLE messages DROP COLUMN edition;
  `,
};
