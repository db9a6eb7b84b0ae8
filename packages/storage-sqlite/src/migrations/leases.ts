import type { Migration } from "../engine/migration.ts";

/** Adds leases for work that only one server may do, and an index to find outbox rows without a waiting caller by their end. */
export const leases: Migration = {
  version: 20,
  name: "leases",
  up: `
    CREATE TABLE leases (
      name TEXT PRIMARY KEY,
      holder TEXT NOT NULL,
      fence INTEGER NOT NULL,
      until INTEGER NOT NULL,
      note TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX outbox_of_end ON outbox (until);
  `,
  down: `
    DROP INDEX outbox_of_end;
    DROP TABLE leases;
  `,
};
