import type { Migration } from "../engine/migration.ts";

/** Adds claims for work that an installation does only once, such as accepting a signed event. Older programs ignore them. */
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
