import type { Migration } from "../../engine/migration.ts";

/** Sweeps a file by its last upload. Earlier, a file that was uploaded again was swept by the time of its first upload. */
export const filePutTime: Migration = {
  version: 2,
  name: "file-put-time",
  up: `
    ALTER TABLE files ADD COLUMN put_at INTEGER NOT NULL DEFAULT 0;
    UPDATE files SET put_at = created_at;
    CREATE INDEX unused_files_by_put ON files (put_at) WHERE used_at IS NULL;
  `,
  down: `
    DROP INDEX unused_files_by_put;
    ALTER TABLE files DROP COLUMN put_at;
  `,
};
