import type { Migration } from "../../engine/migration.ts";

/** Adds tags of devices, and the reports of devices about themselves. Older programs ignore the new columns. */
export const deviceReports: Migration = {
  version: 34,
  readableFrom: 21,
  name: "device-reports",
  up: `
    ALTER TABLE devices ADD COLUMN tags TEXT NOT NULL DEFAULT '[]';
    ALTER TABLE devices ADD COLUMN program TEXT;
    ALTER TABLE devices ADD COLUMN transport TEXT;
    ALTER TABLE devices ADD COLUMN can TEXT NOT NULL DEFAULT '[]';
    ALTER TABLE devices ADD COLUMN fault TEXT;
    ALTER TABLE devices ADD COLUMN fault_at INTEGER;
  `,
  down: `
    ALTER TABLE devices DROP COLUMN fault_at;
    ALTER TABLE devices DROP COLUMN fault;
    ALTER TABLE devices DROP COLUMN can;
    ALTER TABLE devices DROP COLUMN transport;
    ALTER TABLE devices DROP COLUMN program;
    ALTER TABLE devices DROP COLUMN tags;
  `,
};
