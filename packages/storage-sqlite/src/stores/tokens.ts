import type { Clock } from "@telex/core";
import type { TokenIssue, TokenKey, TokenRecord, TokenStore } from "@telex/core/storage";
import type { SqliteChangeFeed } from "./changes.ts";
import type { Database } from "../engine/database.ts";
import type { GroupCommit } from "../engine/group-commit.ts";
import { describeTable } from "../engine/table.ts";
import { WriteBehind } from "../engine/write-behind.ts";

const table = describeTable("tokens");
const { read } = table;
const insertable = table.without("tokenId", "revokedAt", "lastUsedAt");
const select = `SELECT ${table.names} FROM tokens`;

const prepare = (database: Database) => ({
  insert: database.query(
    `INSERT INTO tokens (${insertable.names}) VALUES (${insertable.marks}) RETURNING ${table.names}`,
    read,
  ),
  find: database.query(`${select} WHERE digest = ?`, read),
  findById: database.query(`${select} WHERE token_id = ?`, read),
  list: database.query(`${select} WHERE token_id > ? ORDER BY token_id LIMIT ?`, read),
  listOf: database.query(`${select} WHERE token_id > ? AND user_id = ? ORDER BY token_id LIMIT ?`, read),
  listLive: database.query(
    `${select} WHERE user_id = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)
      ORDER BY token_id DESC LIMIT ?`,
    read,
  ),
  revoke: database.command("UPDATE tokens SET revoked_at = ? WHERE token_id = ?"),
  use: database.command("UPDATE tokens SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE token_id = ?"),
});

/** The last use of a token, while it is not in the database yet. */
interface Use {
  readonly tokenId: number;
  /** Unix milliseconds. */
  readonly at: number;
}

interface TokenDeps {
  readonly database: Database;
  readonly commit: GroupCommit;
  readonly changes: SqliteChangeFeed;
  readonly clock: Clock;
}

/** Access tokens. */
export class SqliteTokenStore implements TokenStore {
  readonly #database: Database;
  readonly #commit: GroupCommit;
  readonly #changes: SqliteChangeFeed;
  readonly #sql: ReturnType<typeof prepare>;
  readonly #uses: WriteBehind<number, Use>;

  constructor({ database, commit, changes, clock }: TokenDeps) {
    this.#database = database;
    this.#commit = commit;
    this.#changes = changes;
    this.#sql = prepare(database);
    this.#uses = new WriteBehind({ commit, clock, write: ({ tokenId, at }) => void this.#sql.use(at, tokenId) });
  }

  issueToken(token: TokenIssue): Promise<TokenRecord> {
    const values = insertable.values(token);
    return this.#commit.write(() => this.#sql.insert.only(...values));
  }

  findToken(digest: string): Promise<TokenRecord | null> {
    return this.#database.read(() => {
      const token = this.#sql.find.one(digest);
      return token === null ? null : this.#complete(token);
    });
  }

  listTokens({ userId, after, limit }: Parameters<TokenStore["listTokens"]>[0]): Promise<readonly TokenRecord[]> {
    const { list, listOf } = this.#sql;
    return this.#database.read(() =>
      (userId === null ? list.all(after, limit) : listOf.all(after, userId, limit)).map((row) => this.#complete(row)),
    );
  }

  listLiveTokens(
    userId: number,
    { now, limit }: Parameters<TokenStore["listLiveTokens"]>[1],
  ): Promise<readonly TokenRecord[]> {
    return this.#database.read(() => this.#sql.listLive.all(userId, now, limit).map((token) => this.#complete(token)));
  }

  touchToken(tokenId: number, now: number): Promise<void> {
    return this.#database.read(() => {
      const at = Math.max(now, this.#uses.find(tokenId)?.at ?? 0);
      this.#uses.keep(tokenId, { tokenId, at });
    });
  }

  revokeToken(key: TokenKey, now: number): Promise<TokenRecord | null> {
    const wanted = { ...key };
    return this.#commit.write(() => {
      const token = this.#findBy(wanted);
      if (token === null || token.revokedAt !== null) return token;
      this.#sql.revoke(now, token.tokenId);
      this.#changes.record("token", String(token.tokenId));
      return { ...token, revokedAt: now };
    });
  }

  /** Writes the changes that are only in memory. */
  flush(): Promise<void> {
    return this.#uses.flush();
  }

  #findBy(key: TokenKey): TokenRecord | null {
    const token = "digest" in key ? this.#sql.find.one(key.digest) : this.#sql.findById.one(key.tokenId);
    const isMeant = token !== null && ("digest" in key || (key.userId ?? token.userId) === token.userId);
    return isMeant ? this.#complete(token) : null;
  }

  /** The stored record, completed with the use in memory. */
  #complete(token: TokenRecord): TokenRecord {
    const use = this.#uses.find(token.tokenId);
    return use === undefined ? token : { ...token, lastUsedAt: Math.max(token.lastUsedAt ?? 0, use.at) };
  }
}
