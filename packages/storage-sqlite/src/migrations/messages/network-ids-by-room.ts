import type { Migration } from "../../engine/migration.ts";

const columns = "account, bot_message_id, id, group_id, seq";

const tableWith = (key: string): string => `
    CREATE TABLE bot_messages_next (
      account TEXT NOT NULL,
      bot_message_id TEXT NOT NULL,
      id INTEGER NOT NULL,
      group_id INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      PRIMARY KEY (${key})
    ) STRICT, WITHOUT ROWID;
    INSERT OR IGNORE INTO bot_messages_next (${columns})
      SELECT ${columns} FROM bot_messages ORDER BY account, bot_message_id, id;
    DROP TABLE bot_messages;
    ALTER TABLE bot_messages_next RENAME TO bot_messages;
    CREATE INDEX bot_messages_by_message ON bot_messages (group_id, seq);
  `;

/**
 * Makes ids of a network unique per room. Earlier, they were unique per account. Older programs can work on the table, because they look
 * up by the beginning of the key. They cannot import into it.
 */
export const networkIdsByRoom: Migration = {
  version: 27,
  readableFrom: 21,
  name: "network-ids-by-room",
  up: tableWith("account, bot_message_id, group_id"),
  down: tableWith("account, bot_message_id"),
};
