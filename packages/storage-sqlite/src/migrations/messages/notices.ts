import type { Migration } from "../../engine/migration.ts";

/** Marks notices. Earlier ones, known only by their text, stay messages: a text does not show its author. Older programs count new ones as unread. */
export const notices: Migration = {
  version: 32,
  readableFrom: 21,
  name: "notices",
  up: `
    ALTER TABLE messages ADD COLUMN notice TEXT;
    CREATE INDEX message_notices ON messages (group_id, seq) WHERE notice IS NOT NULL;
  `,
  down: `
    DROP INDEX message_notices;
    ALTER TABLE messages DROP COLUMN notice;
  `,
};
