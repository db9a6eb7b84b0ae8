import type { Migration } from "../../engine/migration.ts";

/** Adds models that answer the texts of a device. */
export const deviceAi: Migration = {
  version: 5,
  name: "device-ai",
  up: "ALTER TABLE devices ADD COLUMN ai TEXT",
  down: "ALTER TABLE devices DROP COLUMN ai",
};
