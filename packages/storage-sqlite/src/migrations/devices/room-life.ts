import type { Migration } from "../../engine/migration.ts";

/** Adds the life of texts of a room to the device that prints it. A program of an earlier version ignores the new column. */
export const deviceRoomLife: Migration = {
  version: 41,
  readableFrom: 21,
  name: "device-room-life",
  up: "ALTER TABLE devices ADD COLUMN room_life INTEGER;",
  down: "ALTER TABLE devices DROP COLUMN room_life;",
};
