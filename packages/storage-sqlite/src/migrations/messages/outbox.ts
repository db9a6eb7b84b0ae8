import type { Migration } from "../../engine/migration.ts";

/** Adds the outbox. Earlier, only the sending server knew of a message that was being sent to an external network. */
export const outbox: Migration = {
  version: 15,
  name: "outbox",
  up: `
    CREATE TABLE outbox (
      id TEXT PRIMARY KEY,
      account TEXT NOT NULL,
      group_id INTEGER NOT NULL,
      user_id TEXT NOT NULL,
      nonce TEXT,
      fingerprint TEXT NOT NULL,
      state TEXT NOT NULL,
      message TEXT NOT NULL,
      at INTEGER NOT NULL,
      until INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX outbox_of_account ON outbox (account, until);
    CREATE INDEX outbox_of_nonce ON outbox (group_id, user_id, nonce);
  `,
  down: `
    DROP TABLE outbox;
  `,
};
