import type { Migration } from "../../engine/migration.ts";

/** Adds the messages of conversations. Earlier, only the list of conversations was stored. */
export const conversationMessages: Migration = {
  version: 3,
  name: "conversation-messages",
  up: `
    CREATE TABLE conversation_messages (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      conversation_id INTEGER NOT NULL REFERENCES conversations ON DELETE CASCADE,
      role TEXT NOT NULL,
      content TEXT NOT NULL,
      model TEXT NOT NULL,
      finish_reason TEXT,
      created_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX messages_of_conversation ON conversation_messages (conversation_id, id);
  `,
  down: "DROP TABLE conversation_messages",
};
