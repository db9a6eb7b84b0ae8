import type { Migration } from "../../engine/migration.ts";

/** Adds the applications that write texts for people. Older programs ignore the new columns. */
export const deviceVia: Migration = {
  version: 38,
  readableFrom: 21,
  name: "device-via",
  up: `
    ALTER TABLE device_messages ADD COLUMN via TEXT;
    ALTER TABLE device_schedules ADD COLUMN via TEXT;
  `,
  down: `
    ALTER TABLE device_schedules DROP COLUMN via;
    ALTER TABLE device_messages DROP COLUMN via;
  `,
};
