import type { Migration } from "../../engine/migration.ts";

/** Marks tokens that an admin has paired for a user. Older programs ignore the mark. */
export const pairingsByAdmins: Migration = {
  version: 25,
  readableFrom: 21,
  name: "pairings-by-admins",
  up: "ALTER TABLE pairings ADD COLUMN issued_by INTEGER;",
  down: "ALTER TABLE pairings DROP COLUMN issued_by;",
};
