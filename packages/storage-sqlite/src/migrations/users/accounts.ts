import type { Migration } from "../../engine/migration.ts";

/** Adds sign-in. Older programs would let suspended users in. */
export const accounts: Migration = {
  version: 31,
  name: "accounts",
  up: `
    ALTER TABLE users ADD COLUMN suspended INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE accounts (
      user_id INTEGER PRIMARY KEY,
      username TEXT NOT NULL,
      username_key TEXT NOT NULL UNIQUE,
      password_hash TEXT,
      role TEXT,
      show_read INTEGER NOT NULL,
      notify TEXT NOT NULL,
      seen TEXT NOT NULL,
      recovery TEXT,
      created_at INTEGER NOT NULL,
      removed_at INTEGER,
      rev INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX accounts_with_role ON accounts (role) WHERE role IS NOT NULL;
    CREATE TABLE passkeys (
      credential_id TEXT PRIMARY KEY,
      user_id INTEGER NOT NULL,
      name TEXT NOT NULL,
      public_key TEXT NOT NULL,
      counter INTEGER NOT NULL,
      transports TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      last_used_at INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX passkeys_of_user ON passkeys (user_id);
    CREATE TABLE identities (
      issuer TEXT NOT NULL,
      subject TEXT NOT NULL,
      user_id INTEGER NOT NULL,
      name TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      PRIMARY KEY (issuer, subject)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX identities_of_user ON identities (user_id);
    CREATE TABLE sessions (
      session_id TEXT PRIMARY KEY,
      digest TEXT NOT NULL UNIQUE,
      user_id INTEGER NOT NULL,
      browser TEXT NOT NULL,
      address TEXT NOT NULL,
      stay INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      last_used_at INTEGER NOT NULL,
      until INTEGER NOT NULL,
      absolute_until INTEGER NOT NULL,
      confirmed_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sessions_of_user ON sessions (user_id);
    CREATE INDEX sessions_by_end ON sessions (until);
    CREATE TABLE links (
      link_id TEXT PRIMARY KEY,
      digest TEXT NOT NULL UNIQUE,
      kind TEXT NOT NULL,
      maker_id INTEGER,
      slot TEXT UNIQUE,
      data TEXT NOT NULL,
      uses INTEGER NOT NULL,
      used INTEGER NOT NULL,
      misses INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      until INTEGER NOT NULL,
      revoked_at INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX links_of_maker ON links (maker_id, kind);
    CREATE INDEX links_by_end ON links (until);
    CREATE TABLE clients (
      client_id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      secret_digest TEXT,
      redirect_uris TEXT NOT NULL,
      grant_types TEXT NOT NULL,
      scopes TEXT NOT NULL,
      metadata TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE grants (
      grant_id TEXT PRIMARY KEY,
      user_id INTEGER NOT NULL,
      client_id TEXT NOT NULL,
      payload TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      until INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX grants_of_user ON grants (user_id, grant_id);
    CREATE INDEX grants_of_client ON grants (client_id, grant_id);
    CREATE INDEX grants_by_end ON grants (until);
    CREATE TABLE artifacts (
      model TEXT NOT NULL,
      digest TEXT NOT NULL,
      payload TEXT NOT NULL,
      grant_id TEXT,
      uid TEXT,
      user_code_digest TEXT UNIQUE,
      claimed_by TEXT,
      consumed_at INTEGER,
      successor TEXT,
      until INTEGER NOT NULL,
      PRIMARY KEY (model, digest)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX artifacts_of_grant ON artifacts (grant_id, until) WHERE grant_id IS NOT NULL;
    CREATE INDEX artifacts_by_uid ON artifacts (uid) WHERE uid IS NOT NULL;
    CREATE INDEX artifacts_by_end ON artifacts (until);
    CREATE TABLE keys (name TEXT PRIMARY KEY, value TEXT NOT NULL, created_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  `,
  down: `
    DROP TABLE keys;
    DROP TABLE artifacts;
    DROP TABLE grants;
    DROP TABLE clients;
    DROP TABLE links;
    DROP TABLE sessions;
    DROP TABLE identities;
    DROP TABLE passkeys;
    DROP TABLE accounts;
    ALTER TABLE users DROP COLUMN suspended;
  `,
};
