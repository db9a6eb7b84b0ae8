import type { Migration } from "../../engine/migration.ts";

/** Adds the rooms that devices print. */
export const printedRooms: Migration = {
  version: 18,
  name: "printed-rooms",
  up: `
    ALTER TABLE devices ADD COLUMN room_id INTEGER;
    ALTER TABLE devices ADD COLUMN room_mentions INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX device_rooms ON devices (room_id, device_id) WHERE room_id IS NOT NULL;
    ALTER TABLE device_messages ADD COLUMN room INTEGER NOT NULL DEFAULT 0;
  `,
  down: `
    ALTER TABLE device_messages DROP COLUMN room;
    DROP INDEX device_rooms;
    ALTER TABLE devices DROP COLUMN room_mentions;
    ALTER TABLE devices DROP COLUMN room_id;
  `,
};
