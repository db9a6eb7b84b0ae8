import type { Migration } from "../../engine/migration.ts";

/** Adds users that OneBot frameworks may act as. */
export const userOneBot: Migration = {
  version: 17,
  name: "user-one-bot",
  up: `
    ALTER TABLE users ADD COLUMN one_bot TEXT;
    CREATE INDEX users_with_one_bot ON users (user_id) WHERE one_bot IS NOT NULL;
  `,
  down: `
    DROP INDEX users_with_one_bot;
    ALTER TABLE users DROP COLUMN one_bot;
  `,
};
