import type { TokenRecord, TokenStore } from "@telex/core";
import type { SqliteChangeFeed } from "./changes.ts";
import type { Database } from "./database.ts";
import type { GroupCommit } from "./group-commit.ts";
import { integer, integerOrNull, type Row, text, textList } from "./rows.ts";

const readToken = (row: Row): TokenRecord => ({
  tokenId: integer(row, "token_id"),
  userId: integer(row, "user_id"),
  digest: text(row, "digest"),
  scopes: textList(row, "scopes"),
  createdAt: integer(row, "created_at"),
  expiresAt: integerOrNull(row, "expires_at"),
  revokedAt: integerOrNull(row, "revoked_at"),
});

const select = "SELECT token_id, user_id, digest, scopes, created_at, expires_at, revoked_at FROM tokens";

const prepare = (database: Database) => ({
  insert: database.query(
    "INSERT INTO tokens (user_id, digest, scopes, created_at, expires_at) VALUES (?, ?, ?, ?, ?) RETURNING *",
    readToken,
  ),
  find: database.query(`${select} WHERE digest = ?`, readToken),
  findById: database.query(`${select} WHERE token_id = ?`, readToken),
  list: database.query(`${select} ORDER BY token_id`, readToken),
  listOf: database.query(`${select} WHERE user_id = ? ORDER BY token_id`, readToken),
  revoke: database.command("UPDATE tokens SET revoked_at = ? WHERE token_id = ?"),
});

/** Access tokens. */
export class SqliteTokenStore implements TokenStore {
  readonly #database: Database;
  readonly #commit: GroupCommit;
  readonly #changes: SqliteChangeFeed;
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database, commit: GroupCommit, changes: SqliteChangeFeed) {
    this.#database = database;
    this.#commit = commit;
    this.#changes = changes;
    this.#sql = prepare(database);
  }

  issueToken(token: Omit<TokenRecord, "tokenId" | "revokedAt">): Promise<TokenRecord> {
    const { userId, digest, createdAt, expiresAt } = token;
    const scopes = JSON.stringify(token.scopes);
    return this.#commit.write(() => this.#sql.insert.only(userId, digest, scopes, createdAt, expiresAt));
  }

  findToken(digest: string): Promise<TokenRecord | null> {
    return this.#database.read(() => this.#sql.find.one(digest));
  }

  listTokens(userId: number | null): Promise<readonly TokenRecord[]> {
    return this.#database.read(() => (userId === null ? this.#sql.list.all() : this.#sql.listOf.all(userId)));
  }

  revokeToken(
    key: { readonly tokenId: number } | { readonly digest: string },
    now: number,
  ): Promise<TokenRecord | null> {
    const wanted = { ...key };
    return this.#commit.write(() => {
      const token = "tokenId" in wanted ? this.#sql.findById.one(wanted.tokenId) : this.#sql.find.one(wanted.digest);
      if (token === null || token.revokedAt !== null) return token;
      this.#sql.revoke(now, token.tokenId);
      this.#changes.record("token", String(token.tokenId));
      return { ...token, revokedAt: now };
    });
  }
}
