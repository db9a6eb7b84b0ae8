import type { Migration } from "../../engine/migration.ts";

/** From this version on, a message that could not be sent keeps its outcome, and the next message of a room is found by an index. */
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
