import type { Migration } from "../../engine/migration.ts";

/** Adds shares of uploads. Earlier, each file was kept for a fixed time after its upload, and uploads had no limit. */
export const uploadShares: Migration = {
  version: 10,
  name: "upload-shares",
  up: `
    DROP INDEX unused_files_by_put;
    ALTER TABLE files RENAME COLUMN put_at TO unused_until;
    UPDATE files SET unused_until = unused_until + 86400000;
    CREATE INDEX unused_files_by_end ON files (unused_until) WHERE used_at IS NULL;
    CREATE TABLE upload_shares (
      uploader INTEGER NOT NULL,
      until INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      PRIMARY KEY (uploader, until)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX upload_shares_by_end ON upload_shares (until);
  `,
  down: `
    DROP TABLE upload_shares;
    DROP INDEX unused_files_by_end;
    UPDATE files SET unused_until = unused_until - 86400000;
    ALTER TABLE files RENAME COLUMN unused_until TO put_at;
    CREATE INDEX unused_files_by_put ON files (put_at) WHERE used_at IS NULL;
  `,
};
