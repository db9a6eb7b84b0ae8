import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { withOnePlan } from "../src/engine/database.ts";
import { queueSql } from "../src/sql/device-messages.ts";
import { messageSql } from "../src/sql/messages.ts";
import { recallSql } from "../src/messages/recalls.ts";
import { searchSql } from "../src/search/tables.ts";
import { deviceText, roomMessage } from "./messages.ts";
import { openStorage, temporaryFile } from "./support.ts";

const turn = 10_000;

const together = (call: (index: number) => Promise<unknown>): Promise<unknown> =>
  Promise.all(Array.from({ length: turn }, (_, index) => call(index)));

/** A database with 100,000 messages in three rooms and 10,000 texts of a device. */
async function fill(file: string): Promise<void> {
  const storage = await openStorage({ file });
  const { messages, teleprinter } = storage;
  await teleprinter.claimDevice({ deviceId: "printer", owner: 7, name: "Printer", now: 1000 });
  for (let turns = 0; turns < 10; turns += 1) {
    await together((index) => messages.append(roomMessage(1 + (index % 3), "text")));
  }
  await together((index) => teleprinter.append(deviceText(`${index}`)));
  await storage.close();
}

it("no statement on 100,000 messages scans a table or sorts", { timeout: 60_000 }, async () => {
  const file = temporaryFile();
  await fill(file);
  const database = new DatabaseSync(file);
  // Statistics must not lead SQLite to another plan, either.
  database.exec("ANALYZE");
  const plan = (sql: string): string[] =>
    database
      .prepare(`EXPLAIN QUERY PLAN ${withOnePlan(sql)}`)
      .all(...Array.from(sql.matchAll(/\?/g), () => 1))
      .map((row) => String(row["detail"]))
      .filter((step) => /^(SEARCH|SCAN|USE TEMP)/.test(step));
  const plans = (statements: Readonly<Record<string, string>>): Record<string, string[]> =>
    Object.fromEntries(Object.entries(statements).map(([name, sql]) => [name, plan(sql)]));
  const [rooms, recalls, queue] = [plans(messageSql), plans(recallSql), plans(queueSql)];
  const searches = plans(searchSql);
  database.close();
  expect(searches).toMatchInlineSnapshot(`
    {
      "backlogAfter": [
        "SEARCH search_rooms USING INDEX search_backlog (group_id>?)",
      ],
      "bounds": [
        "SEARCH message_blocks USING PRIMARY KEY (group_id=? AND block=?)",
      ],
      "chunks": [
        "SEARCH message_signatures USING INDEX sqlite_autoindex_message_signatures_1 (group_id=? AND chunk>? AND chunk<?)",
      ],
      "count": [
        "SEARCH messages USING COVERING INDEX messages_by_id (group_id=? AND id>? AND id<?)",
        "SEARCH messages USING PRIMARY KEY (group_id=? AND seq<?)",
        "SEARCH messages USING PRIMARY KEY (group_id=? AND seq<?)",
      ],
      "idFrom": [
        "SEARCH messages USING PRIMARY KEY (group_id=? AND seq>?)",
      ],
      "positions": [
        "SEARCH messages USING COVERING INDEX messages_by_id (group_id=? AND id>?)",
        "SEARCH messages USING PRIMARY KEY (group_id=? AND seq<?)",
        "SCAN (subquery-2)",
      ],
      "recalled": [
        "SEARCH message_recalls USING COVERING INDEX sqlite_autoindex_message_recalls_2 (group_id=? AND seq>? AND seq<?)",
      ],
      "room": [
        "SEARCH search_rooms USING INTEGER PRIMARY KEY (rowid=?)",
      ],
      "slice": [
        "SEARCH message_slices USING PRIMARY KEY (group_id=? AND block=? AND bit=?)",
      ],
      "slices": [
        "SEARCH message_slices USING PRIMARY KEY (group_id=? AND block=?)",
      ],
      "tops": [
        "SCAN room VIRTUAL TABLE INDEX 1:",
        "SEARCH m USING COVERING INDEX messages_by_id (group_id=? AND id=?)",
        "SEARCH messages USING COVERING INDEX messages_by_id (group_id=? AND id<?)",
      ],
    }
  `);
  expect(rooms).toMatchInlineSnapshot(`
    {
      "amended": [
        "SEARCH messages USING INDEX amended_messages (group_id=? AND changed>?)",
      ],
      "at": [
        "SEARCH messages USING PRIMARY KEY (group_id=? AND seq=?)",
      ],
      "byId": [
        "SEARCH messages USING INDEX messages_by_id (group_id=? AND id=?)",
      ],
      "countOutdated": [
        "SCAN messages USING COVERING INDEX outdated_messages",
        "SCAN (subquery-1)",
      ],
      "forgetNonces": [
        "SEARCH message_nonces USING PRIMARY KEY (group_id=? AND user_id=? AND external=? AND nonce=?)",
        "SEARCH message_nonces USING COVERING INDEX message_nonces_by_age (at<?)",
      ],
      "head": [
        "SEARCH messages USING PRIMARY KEY (group_id=?)",
      ],
      "headAndTop": [
        "SEARCH messages USING PRIMARY KEY (group_id=?)",
        "SEARCH messages USING COVERING INDEX messages_by_id (group_id=? AND id<?)",
      ],
      "idAt": [
        "SEARCH messages USING PRIMARY KEY (group_id=? AND seq=?)",
      ],
      "idUpTo": [
        "SEARCH messages USING COVERING INDEX messages_by_id (group_id=? AND id<?)",
      ],
      "mentions": [
        "SEARCH messages USING COVERING INDEX message_mentions (group_id=? AND seq>?)",
        "SCAN (subquery-1)",
      ],
      "networkIds": [
        "SEARCH m USING COVERING INDEX messages_by_id (group_id=? AND id=?)",
        "SEARCH b USING COVERING INDEX bot_messages_by_message (group_id=? AND seq=?)",
      ],
      "notices": [
        "SEARCH messages USING INDEX message_notices (group_id=? AND seq>?)",
        "SCAN (subquery-1)",
      ],
      "outdated": [
        "SCAN messages USING INDEX outdated_messages",
      ],
      "page": [
        "SEARCH messages USING PRIMARY KEY (group_id=? AND seq<?)",
      ],
      "seqBelow": [
        "SEARCH messages USING COVERING INDEX messages_by_id (group_id=? AND id<?)",
      ],
      "since": [
        "SEARCH messages USING COVERING INDEX messages_by_id (group_id=? AND id>?)",
      ],
      "using": [
        "SEARCH file_uses USING PRIMARY KEY (md5=? AND group_id=? AND seq>?)",
      ],
    }
  `);
  expect(recalls).toMatchInlineSnapshot(`
    {
      "of": [
        "SEARCH m USING PRIMARY KEY (group_id=? AND seq=?)",
        "SEARCH r USING INDEX sqlite_autoindex_message_recalls_2 (group_id=? AND seq=?)",
      ],
      "since": [
        "SEARCH r USING PRIMARY KEY (group_id=? AND id>?)",
        "SEARCH m USING PRIMARY KEY (group_id=? AND seq=?)",
      ],
    }
  `);
  expect(queue).toMatchInlineSnapshot(`
    {
      "countExpired": [
        "SEARCH device_messages USING COVERING INDEX device_lives (expires_at<?)",
        "SCAN (subquery-1)",
      ],
      "deliver": [
        "SEARCH device_messages USING PRIMARY KEY (device_id=? AND id=?)",
      ],
      "deliverBetween": [
        "SEARCH device_messages USING PRIMARY KEY (device_id=? AND id>? AND id<?)",
      ],
      "expired": [
        "SEARCH device_messages USING COVERING INDEX device_lives (expires_at<?)",
      ],
      "forgetNonces": [
        "SEARCH device_nonces USING PRIMARY KEY (device_id=? AND direction=? AND nonce=?)",
        "SEARCH device_nonces USING COVERING INDEX device_nonces_by_age (at<?)",
      ],
      "newest": [
        "SEARCH device_messages USING PRIMARY KEY (device_id=?)",
      ],
      "page": [
        "SEARCH device_messages USING PRIMARY KEY (device_id=? AND id<?)",
      ],
      "pageWithoutRooms": [
        "SEARCH device_messages USING PRIMARY KEY (device_id=? AND id<?)",
      ],
      "waiting": [
        "SEARCH device_messages USING INDEX device_queue (device_id=? AND id>?)",
      ],
      "waitingBetween": [
        "SEARCH device_messages USING COVERING INDEX device_queue (device_id=? AND id>? AND id<?)",
      ],
      "waitingIds": [
        "SEARCH device_messages USING INDEX device_queue (device_id=? AND id<?)",
      ],
      "waitingIdsWithoutRooms": [
        "SEARCH device_messages USING INDEX device_queue (device_id=? AND id<?)",
      ],
      "waitingWithoutRooms": [
        "SEARCH device_messages USING INDEX device_queue (device_id=? AND id>?)",
      ],
    }
  `);
});
