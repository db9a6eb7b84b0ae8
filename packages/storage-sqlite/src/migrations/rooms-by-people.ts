import type { Migration } from "../engine/migration.ts";

/** Adds rooms that people run. Older programs ignore the new columns: they write in archived rooms, and give members no role. */
export const roomsByPeople: Migration = {
  version: 33,
  readableFrom: 21,
  name: "rooms-by-people",
  up: `
    ALTER TABLE groups ADD COLUMN topic TEXT NOT NULL DEFAULT '';
    ALTER TABLE groups ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE groups ADD COLUMN unique_key TEXT;
    ALTER TABLE groups ADD COLUMN rev INTEGER NOT NULL DEFAULT 0;
    CREATE UNIQUE INDEX groups_by_key ON groups (unique_key) WHERE unique_key IS NOT NULL;
    ALTER TABLE group_members ADD COLUMN role TEXT NOT NULL DEFAULT 'member';
    ALTER TABLE group_members ADD COLUMN joined_at INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE group_members ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;
  `,
  down: `
    ALTER TABLE group_members DROP COLUMN archived;
    ALTER TABLE group_members DROP COLUMN joined_at;
    ALTER TABLE group_members DROP COLUMN role;
    DROP INDEX groups_by_key;
    ALTER TABLE groups DROP COLUMN rev;
    ALTER TABLE groups DROP COLUMN unique_key;
    ALTER TABLE groups DROP COLUMN archived;
    ALTER TABLE groups DROP COLUMN topic;
  `,
};
