import type { Migration } from "../engine/migration.ts";

/** Notes which older programs can work on a database. Earlier, a program rejected every database of a later version. */
export const schemaReaders: Migration = {
  version: 21,
  name: "schema-readers",
  up: `
    CREATE TABLE schema_readers (lowest INTEGER NOT NULL) STRICT;
    INSERT INTO schema_readers VALUES (21);
  `,
  down: `
    DROP TABLE schema_readers;
  `,
};
