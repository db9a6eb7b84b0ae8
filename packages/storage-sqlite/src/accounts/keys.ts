import type { KeyStore } from "@telex/core/storage";
import type { Database } from "../engine/database.ts";
import type { GroupCommit } from "../engine/group-commit.ts";
import { describeTable } from "../engine/table.ts";

const table = describeTable("keys");
const select = `SELECT ${table.names} FROM keys`;

const prepare = (database: Database) => ({
  add: database.command(`INSERT INTO keys (${table.names}) VALUES (${table.marks}) ON CONFLICT DO NOTHING`),
  find: database.query(`${select} WHERE name = ?`, table.read),
  // The index of names serves the range; no character comes after this one.
  list: database.query(`${select} WHERE name >= ?1 AND name < ?1 || char(0x10FFFF) ORDER BY name`, table.read),
  drop: database.command("DELETE FROM keys WHERE name = ?"),
});

/** Secrets that all servers share. */
export function createKeyStore(database: Database, commit: GroupCommit): KeyStore {
  const sql = prepare(database);
  return {
    addKey({ ...key }) {
      return commit.write(() => {
        sql.add(...table.values(key));
        return sql.find.only(key.name);
      });
    },
    findKey: (name) => database.read(() => sql.find.one(name)),
    listKeys: (prefix) => database.read(() => sql.list.all(prefix)),
    dropKey: (name) => commit.write(() => sql.drop(name) > 0),
  };
}
