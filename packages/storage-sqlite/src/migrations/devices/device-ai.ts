import type { Migration } from "../../engine/migration.ts";

/** Until then no model answered what a device says. */
export const deviceAi: Migration = {
  version: 5,
  name: "device-ai",
  up: "ALTER TABLE devices ADD COLUMN ai TEXT",
  down: "ALTER TABLE devices DROP COLUMN ai",
};
