import type { Migration } from "../../engine/migration.ts";

/**
 * Adds the title, priority and life of texts, and texts that are sent later. Older programs ignore the new columns and the new table:
 * they deliver expired texts, and do not send scheduled ones.
 */
export const deviceSchedules: Migration = {
  version: 37,
  readableFrom: 21,
  name: "device-schedules",
  up: `
    ALTER TABLE device_messages ADD COLUMN title TEXT;
    ALTER TABLE device_messages ADD COLUMN priority INTEGER NOT NULL DEFAULT 3;
    ALTER TABLE device_messages ADD COLUMN expires_at INTEGER;
    ALTER TABLE device_messages ADD COLUMN shown INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE device_messages ADD COLUMN ended TEXT;
    CREATE INDEX device_lives ON device_messages (expires_at) WHERE delivered = 0 AND expires_at IS NOT NULL;
    CREATE TABLE device_schedules (
      device_id TEXT NOT NULL REFERENCES devices ON DELETE CASCADE,
      id INTEGER NOT NULL,
      owner INTEGER NOT NULL,
      content TEXT NOT NULL,
      title TEXT,
      priority INTEGER NOT NULL,
      life INTEGER,
      at INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      nonce TEXT,
      PRIMARY KEY (device_id, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX due_schedules ON device_schedules (at, device_id, id);
    CREATE INDEX schedules_of_owner ON device_schedules (owner);
  `,
  down: `
    DROP TABLE device_schedules;
    DROP INDEX device_lives;
    ALTER TABLE device_messages DROP COLUMN ended;
    ALTER TABLE device_messages DROP COLUMN shown;
    ALTER TABLE device_messages DROP COLUMN expires_at;
    ALTER TABLE device_messages DROP COLUMN priority;
    ALTER TABLE device_messages DROP COLUMN title;
  `,
};
