import type { Migration } from "../../engine/migration.ts";

/** Adds accounts of external networks. Earlier, only the program that served them knew them. */
export const bots: Migration = {
  version: 19,
  name: "bots",
  up: `
    CREATE TABLE bots (
      account TEXT PRIMARY KEY,
      gateway TEXT NOT NULL,
      network TEXT NOT NULL,
      official INTEGER NOT NULL,
      digest TEXT,
      secret TEXT,
      connect TEXT,
      protocol INTEGER NOT NULL,
      min_interval INTEGER NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
  down: `
    DROP TABLE bots;
  `,
};
