import type { Migration } from "../../engine/migration.ts";

/** Counts started replies. Earlier, only completed replies were counted, which had at least been started. */
export const startedReplies: Migration = {
  version: 8,
  name: "started-replies",
  up: `
    ALTER TABLE usage ADD COLUMN started INTEGER NOT NULL DEFAULT 0;
    UPDATE usage SET started = replies;
    ALTER TABLE reservations ADD COLUMN started INTEGER NOT NULL DEFAULT 0;
    UPDATE reservations SET started = replies;
  `,
  down: `
    ALTER TABLE usage DROP COLUMN started;
    ALTER TABLE reservations DROP COLUMN started;
  `,
};
