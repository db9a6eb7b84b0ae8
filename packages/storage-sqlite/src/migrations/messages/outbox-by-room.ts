import type { Migration } from "../../engine/migration.ts";

/** Keeps the outcome of a message that could not be sent, and adds an index for the next message of a room. */
export const outboxByRoom: Migration = {
  version: 30,
  name: "outbox-by-room",
  up: "CREATE INDEX outbox_of_room ON outbox (account, group_id, state, id);",
  down: `
    DROP INDEX outbox_of_room;
    DELETE FROM outbox WHERE state = 'failed';
    UPDATE outbox SET state = 'started' WHERE state = 'unknown';
  `,
};
