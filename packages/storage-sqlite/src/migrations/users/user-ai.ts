import type { Migration } from "../../engine/migration.ts";

/** Adds models as members of rooms. */
export const userAi: Migration = {
  version: 6,
  name: "user-ai",
  up: `
    ALTER TABLE users ADD COLUMN ai TEXT;
    CREATE INDEX users_with_ai ON users (user_id) WHERE ai IS NOT NULL;
  `,
  down: `
    DROP INDEX users_with_ai;
    ALTER TABLE users DROP COLUMN ai;
  `,
};
