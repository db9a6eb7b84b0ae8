import type { Migration } from "../../engine/migration.ts";

/**
 * Lets the token of a device that an admin has paired end with the admin's token, even if that token is not stored here. Older programs ignore
 * it.
 */
export const pairingsIssuerEnd: Migration = {
  version: 28,
  readableFrom: 21,
  name: "pairings-issuer-end",
  up: "ALTER TABLE pairings ADD COLUMN issuer_ends_at INTEGER;",
  down: "ALTER TABLE pairings DROP COLUMN issuer_ends_at;",
};
