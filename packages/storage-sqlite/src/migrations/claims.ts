import type { Migration } from "../engine/migration.ts";

/** Until then nothing said what an installation does once, such as taking a signed event. Older programs do not look at it. */
export const claims: Migration = {
  version: 24,
  readableFrom: 21,
  name: "claims",
  up: `
    CREATE TABLE claims (
      name TEXT PRIMARY KEY,
      until INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX claims_of_end ON claims (until);
  `,
  down: `
    DROP TABLE claims;
  `,
};
