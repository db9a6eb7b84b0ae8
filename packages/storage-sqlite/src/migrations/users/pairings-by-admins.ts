import type { Migration } from "../../engine/migration.ts";

/** Until then a token that an admin had paired for a user was like one that the user had paired. Older programs do not look at it. */
export const pairingsByAdmins: Migration = {
  version: 25,
  readableFrom: 21,
  name: "pairings-by-admins",
  up: "ALTER TABLE pairings ADD COLUMN issued_by INTEGER;",
  down: "ALTER TABLE pairings DROP COLUMN issued_by;",
};
