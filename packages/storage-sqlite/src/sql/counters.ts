import { type CounterName, counterNames } from "@telex/core/storage";
import type { Database } from "../engine/database.ts";
import type { RecordTable } from "./records.ts";
import { integer } from "../engine/rows.ts";

/** Counters with a row of `counters`. */
const own: { readonly [Name in CounterName]?: string } = { message: "message", deviceMessage: "device_message" };

/** Counters that SQLite maintains under the name of a table. */
const automatic: { readonly [Name in CounterName]?: string } = {
  conversation: "conversations",
  conversationMessage: "conversation_messages",
  group: "groups",
  networkPerson: "network_people",
  token: "tokens",
  user: "users",
};

/** The counters as records. */
export function prepareCounters(database: Database): RecordTable<"counters"> {
  const value = (row: Parameters<typeof integer>[0]): number => integer(row, "value");
  const findOwn = database.query("SELECT value FROM counters WHERE name = ?", value);
  const raiseOwn = database.command("UPDATE counters SET value = max(value, ?1) WHERE name = ?2");
  // SQLite's own table has no key, and no row for a table that never had rows.
  const findAutomatic = database.query("SELECT seq AS value FROM sqlite_sequence WHERE name = ?", value);
  const startAutomatic = database.command(`
    INSERT INTO sqlite_sequence (name, seq)
    SELECT ?1, 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?1)`);
  const raiseAutomatic = database.command("UPDATE sqlite_sequence SET seq = max(seq, ?1) WHERE name = ?2");

  const find = (name: CounterName): number =>
    own[name] === undefined ? (findAutomatic.one(automatic[name] ?? "") ?? 0) : findOwn.only(own[name]);
  return {
    list: (after, limit) =>
      counterNames
        .filter((name) => after === null || name > String(after[0]))
        .slice(0, limit)
        .map((name) => ({ name, value: find(name) })),
    put(record) {
      const table = automatic[record.name];
      if (table === undefined) raiseOwn(record.value, own[record.name] ?? "");
      else {
        startAutomatic(table);
        raiseAutomatic(record.value, table);
      }
    },
    count: () => counterNames.length,
  };
}
