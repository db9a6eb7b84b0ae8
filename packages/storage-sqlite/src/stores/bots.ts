import type { BotChange, BotConflict, BotRecord, BotStore } from "@telex/core/storage";
import type { SqliteChangeFeed } from "./changes.ts";
import type { Database } from "../engine/database.ts";
import type { GroupCommit } from "../engine/group-commit.ts";
import { describeTable } from "../engine/table.ts";

const { names, marks, values, read } = describeTable("bots");

const prepare = (database: Database) => ({
  find: database.query(`SELECT ${names} FROM bots WHERE account = ?`, read),
  list: database.query(`SELECT ${names} FROM bots ORDER BY account`, read),
  put: database.command(`INSERT OR REPLACE INTO bots (${names}) VALUES (${marks})`),
  drop: database.command("DELETE FROM bots WHERE account = ?"),
  ofDigest: database.query(`SELECT ${names} FROM bots WHERE account <> ? AND digest = ?`, read),
  official: database.query(`SELECT ${names} FROM bots WHERE account <> ? AND official = 1`, read),
});

/** Accounts of external networks. */
export class SqliteBotStore implements BotStore {
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

  appendBot({ ...bot }: BotRecord): Promise<"appended" | BotConflict> {
    return this.#commit.write(() => {
      if (this.#sql.find.one(bot.account) !== null) return "account_taken";
      return this.#put(bot) ?? "appended";
    });
  }

  amendBot(
    account: string,
    change: BotChange,
  ): Promise<{ readonly outcome: "amended"; readonly bot: BotRecord } | { readonly outcome: "missing" | BotConflict }> {
    const own = { ...change };
    return this.#commit.write(() => {
      const before = this.#sql.find.one(account);
      if (before === null) return { outcome: "missing" };
      const bot = { ...before, ...own };
      const conflict = this.#put(bot);
      return conflict === null ? { outcome: "amended", bot } : { outcome: conflict };
    });
  }

  dropBot(account: string): Promise<boolean> {
    return this.#commit.write(() => {
      if (this.#sql.drop(account) === 0) return false;
      this.#changes.record("bot", account);
      return true;
    });
  }

  listBots(): Promise<readonly BotRecord[]> {
    return this.#database.read(() => this.#sql.list.all());
  }

  /** Stores an account, unless it conflicts with another. Returns the conflict, or null. */
  #put(bot: BotRecord): BotConflict | null {
    const { account, digest, official } = bot;
    if (digest !== null && this.#sql.ofDigest.one(account, digest) !== null) return "secret_taken";
    if (official && this.#sql.official.one(account) !== null) return "official_taken";
    this.#sql.put(...values(bot));
    this.#changes.record("bot", account);
    return null;
  }
}
