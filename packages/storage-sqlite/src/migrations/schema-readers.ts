import type { Migration } from "../engine/migration.ts";

/** Until then a program refused every database of a later version, also those that it could have worked with. */
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
