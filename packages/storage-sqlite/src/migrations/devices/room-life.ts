import type { Migration } from "../../engine/migration.ts";

/** Adds to devices the life of texts from a room that they print. Older programs ignore the new column. */
export const deviceRoomLife: Migration = {
  version: 41,
  readableFrom: 21,
  name: "device-room-life",
  up: "ALTER TABLE devices ADD COLUMN room_life INTEGER;",
  down: "ALTER TABLE devices DROP COLUMN room_life;",
};
