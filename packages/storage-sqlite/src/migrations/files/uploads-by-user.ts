import type { Migration } from "../../engine/migration.ts";

/** Adds an index for the uploads of one user. */
export const uploadsByUser: Migration = {
  version: 13,
  name: "uploads-by-user",
  up: "CREATE INDEX uploads_by_user ON uploads (user_id, md5)",
  down: "DROP INDEX uploads_by_user",
};
