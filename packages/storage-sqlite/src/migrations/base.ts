import type { Migration } from "../engine/migration.ts";

/**
 * The tables of the first version. `WITHOUT ROWID` if rows are read in the order of the key; `AUTOINCREMENT` if an id must not be
 * reused after its row is deleted. No foreign key refers to another capability, because an embedder may replace any of them.
 */
export const base: Migration = {
  version: 1,
  name: "base",
  up: `
    CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    INSERT INTO counters VALUES ('message', 0), ('device_message', 0), ('probe', 0);

    CREATE TABLE changes (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,
      key TEXT NOT NULL,
      at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE devices (
      device_id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      owner INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      last_seen INTEGER NOT NULL,
      away INTEGER NOT NULL DEFAULT 0,
      waiting INTEGER NOT NULL DEFAULT 0
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX devices_of_owner ON devices (owner);
    CREATE TABLE device_messages (
      device_id TEXT NOT NULL REFERENCES devices ON DELETE CASCADE,
      id INTEGER NOT NULL,
      direction INTEGER NOT NULL,
      content TEXT NOT NULL,
      delivered INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      PRIMARY KEY (device_id, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX device_queue ON device_messages (device_id, id) WHERE delivered = 0;
    CREATE TABLE device_nonces (
      device_id TEXT NOT NULL REFERENCES devices ON DELETE CASCADE,
      direction INTEGER NOT NULL,
      nonce TEXT NOT NULL,
      id INTEGER NOT NULL,
      at INTEGER NOT NULL,
      PRIMARY KEY (device_id, direction, nonce)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX device_nonces_by_age ON device_nonces (at);

    CREATE TABLE allocations (
      user_id INTEGER PRIMARY KEY,
      unit TEXT NOT NULL,
      max INTEGER NOT NULL,
      period TEXT NOT NULL
    ) STRICT;
    CREATE TABLE usage (
      user_id INTEGER NOT NULL,
      day TEXT NOT NULL,
      replies INTEGER NOT NULL,
      tokens INTEGER NOT NULL,
      PRIMARY KEY (user_id, day)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE reservations (
      reservation_id TEXT PRIMARY KEY,
      user_id INTEGER NOT NULL,
      day TEXT NOT NULL,
      replies INTEGER NOT NULL,
      tokens INTEGER NOT NULL,
      expires_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX reservations_of_user ON reservations (user_id, expires_at);
    CREATE TABLE conversations (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      user_id INTEGER NOT NULL,
      title TEXT NOT NULL,
      status INTEGER NOT NULL,
      default_model TEXT NOT NULL,
      last_message INTEGER NOT NULL,
      total_token INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX conversations_of_user ON conversations (user_id, last_message, id);

    CREATE TABLE codes (
      digest TEXT PRIMARY KEY,
      storage_id TEXT NOT NULL,
      expires_at INTEGER NOT NULL,
      used INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX codes_by_expiry ON codes (expires_at);
    CREATE TABLE files (
      md5 TEXT PRIMARY KEY,
      sha256 TEXT NOT NULL,
      size INTEGER NOT NULL,
      mime TEXT NOT NULL,
      ext TEXT NOT NULL,
      blob_id TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      used_at INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX files_of_blob ON files (blob_id);
    CREATE INDEX images_by_use ON files (used_at) WHERE ext <> '';
    CREATE TABLE uploads (
      md5 TEXT NOT NULL REFERENCES files ON DELETE CASCADE,
      user_id INTEGER NOT NULL,
      PRIMARY KEY (md5, user_id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE attachments (
      relative_path TEXT PRIMARY KEY,
      md5 TEXT NOT NULL REFERENCES files ON DELETE CASCADE,
      name TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX attachments_of_file ON attachments (md5);

    CREATE TABLE users (
      user_id INTEGER PRIMARY KEY AUTOINCREMENT,
      nickname TEXT NOT NULL,
      ext TEXT UNIQUE,
      phone TEXT,
      avatar TEXT,
      created_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE tokens (
      token_id INTEGER PRIMARY KEY AUTOINCREMENT,
      user_id INTEGER NOT NULL,
      digest TEXT NOT NULL UNIQUE,
      scopes TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      expires_at INTEGER,
      revoked_at INTEGER
    ) STRICT;
    CREATE INDEX tokens_of_user ON tokens (user_id);

    CREATE TABLE groups (
      group_id INTEGER PRIMARY KEY AUTOINCREMENT,
      group_type INTEGER NOT NULL,
      name TEXT NOT NULL,
      ext TEXT,
      bot TEXT,
      created_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX groups_by_ext ON groups (ext, group_type, bot) WHERE ext IS NOT NULL;
    CREATE TABLE group_members (
      group_id INTEGER NOT NULL REFERENCES groups,
      user_id INTEGER NOT NULL,
      card TEXT,
      PRIMARY KEY (group_id, user_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX groups_of_user ON group_members (user_id, group_id);

    CREATE TABLE message_heads (
      group_id INTEGER PRIMARY KEY,
      seq INTEGER NOT NULL,
      id INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE messages (
      group_id INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      id INTEGER NOT NULL,
      user_id TEXT NOT NULL,
      external INTEGER NOT NULL,
      type INTEGER NOT NULL,
      content TEXT NOT NULL,
      pinyin TEXT NOT NULL,
      nickname TEXT NOT NULL,
      nickname_pinyin TEXT NOT NULL,
      create_time INTEGER NOT NULL,
      receive_time INTEGER NOT NULL,
      bot_message_id TEXT,
      PRIMARY KEY (group_id, seq)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX messages_by_id ON messages (group_id, id);
    CREATE TABLE message_nonces (
      group_id INTEGER NOT NULL,
      user_id TEXT NOT NULL,
      external INTEGER NOT NULL,
      nonce TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      seq INTEGER NOT NULL,
      at INTEGER NOT NULL,
      PRIMARY KEY (group_id, user_id, external, nonce)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX message_nonces_by_age ON message_nonces (at);
    CREATE TABLE bot_messages (
      account TEXT NOT NULL,
      bot_message_id TEXT NOT NULL,
      id INTEGER NOT NULL,
      group_id INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      PRIMARY KEY (account, bot_message_id)
    ) STRICT, WITHOUT ROWID;
  `,
  down: null,
};
