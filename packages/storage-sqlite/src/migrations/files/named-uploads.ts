import type { Migration } from "../../engine/migration.ts";

/** Adds names, kinds and times to uploads. Older programs ignore the new columns. */
export const namedUploads: Migration = {
  version: 40,
  readableFrom: 21,
  name: "named-uploads",
  up: `
    ALTER TABLE uploads ADD COLUMN name TEXT NOT NULL DEFAULT '';
    ALTER TABLE uploads ADD COLUMN kind TEXT NOT NULL DEFAULT '';
    ALTER TABLE uploads ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0;
    UPDATE uploads SET created_at = (SELECT created_at FROM files WHERE files.md5 = uploads.md5);
    CREATE INDEX uploads_by_time ON uploads (user_id, created_at, md5);
  `,
  down: `
    DROP INDEX uploads_by_time;
    ALTER TABLE uploads DROP COLUMN created_at;
    ALTER TABLE uploads DROP COLUMN kind;
    ALTER TABLE uploads DROP COLUMN name;
  `,
};
