import type { Database } from "../engine/database.ts";
import { integerAt, integerOrNullAt } from "../engine/position-rows.ts";
import { integer, type Row, text } from "../engine/rows.ts";
import { marks } from "../engine/table.ts";
import {
  readHead,
  readSeq,
  readNonce,
  readPosition,
  readNetworkId,
  readPerson,
  list,
  columns,
  readMessage,
} from "./message-rows.ts";

/** The statements, exported for a test of their query plans. */
export const messageSql = {
  page: `SELECT ${columns} FROM messages WHERE group_id = ? AND seq <= ? ORDER BY seq DESC LIMIT ?`,
  seqBelow: "SELECT seq FROM messages WHERE group_id = ? AND id < ? ORDER BY id DESC LIMIT 1",
  at: `SELECT ${columns} FROM messages WHERE group_id = ? AND seq = ?`,
  using: "SELECT seq FROM file_uses WHERE md5 = ? AND group_id = ? AND seq > ? ORDER BY seq LIMIT ?",
  idAt: "SELECT id FROM messages WHERE group_id = ? AND seq = ?",
  byId: `SELECT ${columns} FROM messages WHERE group_id = ? AND id = ?`,
  idUpTo: "SELECT id FROM messages WHERE group_id = ? AND id <= ? ORDER BY id DESC LIMIT 1",
  since: "SELECT id, group_id, seq FROM messages WHERE group_id = ? AND id > ? ORDER BY id LIMIT ?",
  head: "SELECT seq, id FROM messages WHERE group_id = ? ORDER BY seq DESC LIMIT 1",
  headAndTop: `SELECT seq, id, (SELECT seq FROM messages WHERE group_id = ? AND id < ? ORDER BY id DESC LIMIT 1)
    FROM messages WHERE group_id = ? ORDER BY seq DESC LIMIT 1`,
  outdated: `SELECT ${columns} FROM messages INDEXED BY outdated_messages WHERE edition = 0 ORDER BY group_id, seq LIMIT 64`,
  countOutdated: `SELECT count(*) AS messages FROM
    (SELECT 1 FROM messages INDEXED BY outdated_messages WHERE edition = 0 LIMIT ?)`,
  notices: `SELECT count(*) AS notices FROM
    (SELECT 1 FROM messages INDEXED BY message_notices WHERE group_id = ? AND seq > ? AND notice IS NOT NULL LIMIT 1000)`,
  mentions: `SELECT count(*) AS mentions FROM
    (SELECT mentions FROM messages INDEXED BY message_mentions
      WHERE group_id = ? AND seq > ? AND mentions IS NOT NULL ORDER BY seq DESC LIMIT 1000)
    WHERE mentions = ' * ' OR instr(mentions, ?) > 0`,
  amended: `SELECT ${columns} FROM messages INDEXED BY amended_messages
    WHERE group_id = ? AND changed > ? AND changed > 0 ORDER BY changed LIMIT ?`,
  networkIds: `SELECT account, b.bot_message_id FROM messages AS m JOIN bot_messages AS b USING (group_id, seq)
    WHERE m.group_id = ? AND m.id = ?`,
  forgetNonces: `DELETE FROM message_nonces WHERE (group_id, user_id, external, nonce) IN
    (SELECT group_id, user_id, external, nonce FROM message_nonces WHERE at <= ? ORDER BY at LIMIT 4)`,
} as const;

/** Reads the columns of `headAndTop`. */
const readHeadAndTop = (row: Row) => ({
  head: { seq: integerAt(row, 0), id: integerAt(row, 1) },
  top: integerOrNullAt(row, 2) ?? 0,
});

export const prepareMessages = (database: Database) => ({
  page: database.queryByPosition(messageSql.page, readMessage),
  seqBelow: database.query(messageSql.seqBelow, readSeq),
  at: database.queryByPosition(messageSql.at, readMessage),
  using: database.query(messageSql.using, readSeq),
  idAt: database.query(messageSql.idAt, (row) => integer(row, "id")),
  byId: database.queryByPosition(messageSql.byId, readMessage),
  idUpTo: database.query(messageSql.idUpTo, (row) => integer(row, "id")),
  since: database.query(messageSql.since, readPosition),
  notices: database.query(messageSql.notices, (row) => integer(row, "notices")),
  mentions: database.query(messageSql.mentions, (row) => integer(row, "mentions")),
  amended: database.queryByPosition(messageSql.amended, readMessage),
  amend:
    database.command(`UPDATE messages SET type = ?, content = ?, pinyin = ?, mentions = ?, extras = ?, changed = ?, edition = 1
    WHERE group_id = ? AND seq = ?`),
  head: database.query(messageSql.head, readHead),
  headAndTop: database.queryByPosition(messageSql.headAndTop, readHeadAndTop),
  insert: database.command(`INSERT INTO messages (${columns}, edition) VALUES (${marks(list.length)}, 1)`),
  nonce: database.query(
    "SELECT fingerprint, seq, at FROM message_nonces WHERE group_id = ? AND user_id = ? AND external = ? AND nonce = ?",
    readNonce,
  ),
  keepNonce: database.command(`
    INSERT OR REPLACE INTO message_nonces (group_id, user_id, external, nonce, fingerprint, seq, at)
    VALUES (?, ?, ?, ?, ?, ?, ?)`),
  forgetNonces: database.command(messageSql.forgetNonces),
  botMessage: database.query(
    "SELECT id, group_id, seq FROM bot_messages WHERE account = ? AND bot_message_id = ? AND group_id = ?",
    readPosition,
  ),
  networkIds: database.query(messageSql.networkIds, readNetworkId),
  keepBotMessage: database.command(
    "INSERT OR IGNORE INTO bot_messages (account, bot_message_id, id, group_id, seq) VALUES (?, ?, ?, ?, ?)",
  ),
  moveBotMessage: database.command(
    "INSERT OR REPLACE INTO bot_messages (account, bot_message_id, id, group_id, seq) VALUES (?, ?, ?, ?, ?)",
  ),
  keepFile: database.command("INSERT INTO message_files (group_id, seq, position, relative_path) VALUES (?, ?, ?, ?)"),
  files: database.query(
    `SELECT relative_path FROM message_files JOIN messages USING (group_id, seq)
      WHERE group_id = ? AND id = ? ORDER BY position`,
    (row) => text(row, "relative_path"),
  ),
  person: database.query("SELECT number, network, ext FROM network_people WHERE network = ? AND ext = ?", readPerson),
  personOf: database.query("SELECT number, network, ext FROM network_people WHERE number = ?", readPerson),
  addPerson: database.query(
    "INSERT INTO network_people (network, ext) VALUES (?, ?) RETURNING number, network, ext",
    readPerson,
  ),
});

/** The statements on messages that an earlier version stored. */
export const prepareOutdated = (database: Database) => ({
  outdated: database.queryByPosition(messageSql.outdated, readMessage),
  count: database.query(messageSql.countOutdated, (row) => integer(row, "messages")),
  renew: database.command(`UPDATE messages
    SET edition = 1, pinyin = coalesce(?, pinyin), nickname_pinyin = coalesce(?, nickname_pinyin)
    WHERE group_id = ? AND seq = ? AND id = ? AND content = ? AND edition = 0`),
});
