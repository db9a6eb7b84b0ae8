import type { Migration } from "../../engine/migration.ts";

/** Lets the tokens of a device end with its registration, and records when a token was last used. */
export const deviceGenerations: Migration = {
  version: 9,
  name: "device-generations",
  up: `
    CREATE TABLE device_generations (
      device_id TEXT PRIMARY KEY,
      generation INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    ALTER TABLE tokens ADD COLUMN name TEXT;
    ALTER TABLE tokens ADD COLUMN last_used_at INTEGER;
    CREATE INDEX live_tokens_of_user ON tokens (user_id) WHERE revoked_at IS NULL;
  `,
  down: `
    DROP INDEX live_tokens_of_user;
    ALTER TABLE tokens DROP COLUMN last_used_at;
    ALTER TABLE tokens DROP COLUMN name;
    DROP TABLE device_generations;
  `,
};
