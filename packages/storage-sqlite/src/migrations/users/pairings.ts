import type { Migration } from "../../engine/migration.ts";

/** Adds pairing. Earlier, a person had to type a token into a device. */
export const pairings: Migration = {
  version: 4,
  name: "pairings",
  up: `
    CREATE TABLE pairings (
      secret_digest TEXT PRIMARY KEY,
      code_digest TEXT NOT NULL,
      device_id TEXT NOT NULL,
      name TEXT NOT NULL,
      expires_at INTEGER NOT NULL,
      user_id INTEGER,
      confirmed INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX pairings_by_code ON pairings (code_digest) WHERE confirmed = 0;
    CREATE INDEX pairings_by_expiry ON pairings (expires_at);
  `,
  down: "DROP TABLE pairings",
};
