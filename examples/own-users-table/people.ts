import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import type { UserChange, UserRecord, UserStore } from "@telex/core/storage";

/** The columns of a table that was there before Telex, under the names that Telex uses. */
const columns = `number AS userId, display_name AS nickname, network_id AS ext, mobile AS phone, picture AS avatar,
  model AS ai, onebot AS oneBot, suspended, joined AS createdAt`;

type Row = Readonly<Record<string, SQLOutputValue>>;

const textOrNull = (value: SQLOutputValue | undefined): string | null => (typeof value === "string" ? value : null);

const toUser = (row: Row): UserRecord => ({
  userId: Number(row["userId"]),
  nickname: textOrNull(row["nickname"]) ?? "",
  ext: textOrNull(row["ext"]),
  phone: textOrNull(row["phone"]),
  avatar: textOrNull(row["avatar"]),
  ai: textOrNull(row["ai"]),
  oneBot: textOrNull(row["oneBot"]),
  suspended: row["suspended"] === 1,
  createdAt: Number(row["createdAt"]),
});

/** The people of this server as Telex asks for them. Each verb is one statement: two simultaneous callers cannot disturb it. */
export function createPeople(database: DatabaseSync): UserStore {
  const find = (where: string, value: string | number): UserRecord | null => {
    const row = database.prepare(`SELECT ${columns} FROM people WHERE ${where} = ?`).get(value);
    return row === undefined ? null : toUser(row);
  };
  const amend = (userId: number, change: UserChange): UserRecord | "ext_taken" | null => {
    const known = find("number", userId);
    if (known === null) return null;
    const { nickname, ext, phone, avatar, ai, oneBot } = { ...known, ...change };
    const { changes } = database
      .prepare(`UPDATE OR IGNORE people SET display_name = ?, network_id = ?, mobile = ?, picture = ?, model = ?,
        onebot = ? WHERE number = ?`)
      .run(nickname, ext, phone, avatar, ai, oneBot, userId);
    return changes === 0 ? "ext_taken" : find("number", userId);
  };
  return {
    async appendUser({ nickname, ext, phone, avatar, ai, oneBot, createdAt }) {
      const row = database
        .prepare(`INSERT OR IGNORE INTO people (display_name, network_id, mobile, picture, model, onebot, joined)
          VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING ${columns}`)
        .get(nickname, ext, phone, avatar, ai, oneBot, createdAt);
      return row === undefined ? { outcome: "ext_taken" } : { outcome: "appended", user: toUser(row) };
    },
    findUser: async (userId) => find("number", userId),
    async findUsers(userIds) {
      const found = database.prepare(`SELECT ${columns} FROM people WHERE number IN (SELECT value FROM json_each(?))`);
      return found.all(JSON.stringify(userIds)).map(toUser);
    },
    findUserByExt: async (ext) => find("network_id", ext),
    async listUsers({ after, limit }) {
      const page = database.prepare(`SELECT ${columns} FROM people WHERE number > ? ORDER BY number LIMIT ?`);
      return page.all(after, limit).map(toUser);
    },
    async listModels() {
      const models = database.prepare(`SELECT ${columns} FROM people WHERE model IS NOT NULL ORDER BY number`);
      return models.all().map(toUser);
    },
    async listOneBots() {
      const reached = database.prepare(`SELECT ${columns} FROM people WHERE onebot IS NOT NULL ORDER BY number`);
      return reached.all().map(toUser);
    },
    async amendUser(userId, change) {
      const amended = amend(userId, change);
      if (amended === null) return { outcome: "missing" };
      return amended === "ext_taken" ? { outcome: "ext_taken" } : { outcome: "amended", user: amended };
    },
    async suspendUser(userId, { suspended }) {
      const { changes } = database
        .prepare("UPDATE people SET suspended = ? WHERE number = ?")
        .run(Number(suspended), userId);
      const user = changes === 0 ? null : find("number", userId);
      return user === null ? { outcome: "missing" } : { outcome: "amended", user };
    },
    dropUser: async (userId) => database.prepare("DELETE FROM people WHERE number = ?").run(userId).changes > 0,
  };
}

/** Creates the table if it is missing, so that the example needs no preparation. */
export function createPeopleTable(database: DatabaseSync): void {
  database.exec(`CREATE TABLE IF NOT EXISTS people (
    number INTEGER PRIMARY KEY AUTOINCREMENT, display_name TEXT NOT NULL, network_id TEXT UNIQUE, mobile TEXT,
    picture TEXT, model TEXT, onebot TEXT, suspended INTEGER NOT NULL DEFAULT 0, joined INTEGER NOT NULL)`);
}
