import type { Migration } from "../../engine/migration.ts";

/**
 * Until then the token of a device that an admin had paired did not end with a token of the admin that is not stored here. Older programs do not
 * look at it.
 */
export const pairingsIssuerEnd: Migration = {
  version: 28,
  readableFrom: 21,
  name: "pairings-issuer-end",
  up: "ALTER TABLE pairings ADD COLUMN issuer_ends_at INTEGER;",
  down: "ALTER TABLE pairings DROP COLUMN issuer_ends_at;",
};
