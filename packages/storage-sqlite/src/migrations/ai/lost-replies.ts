import type { Migration } from "../../engine/migration.ts";

/** Keeps the text and usage of a reply if its server dies. */
export const lostReplies: Migration = {
  version: 23,
  readableFrom: 21,
  name: "lost-replies",
  up: `
    ALTER TABLE reservations ADD COLUMN so_far TEXT;
    CREATE INDEX reservations_by_end ON reservations (expires_at);
  `,
  down: `
    DROP INDEX reservations_by_end;
    ALTER TABLE reservations DROP COLUMN so_far;
  `,
};
