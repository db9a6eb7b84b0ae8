import type { MessageAppend, MessageAppended, MessagePage, MessageRecord, MessageStore } from "@telex/core";
import type { SqliteBucketStore } from "./bucket.ts";
import type { Database } from "./database.ts";
import type { GroupCommit } from "./group-commit.ts";
import type { Ids } from "./ids.ts";
import { flag, integer, oneOf, type Row, text, textOrNull } from "./rows.ts";

const readMessage = (row: Row): MessageRecord => ({
  id: integer(row, "id"),
  groupId: integer(row, "group_id"),
  seq: integer(row, "seq"),
  userId: text(row, "user_id"),
  external: flag(row, "external"),
  type: oneOf(row, "type", [0, 1, 2, 3]),
  content: text(row, "content"),
  pinyin: text(row, "pinyin"),
  nickname: text(row, "nickname"),
  nicknamePinyin: text(row, "nickname_pinyin"),
  createTime: integer(row, "create_time"),
  receiveTime: integer(row, "receive_time"),
  botMessageId: textOrNull(row, "bot_message_id"),
});

/** The newest message of a room; an empty room has zeros. */
interface Head {
  readonly seq: number;
  readonly id: number;
}

const readHead = (row: Row): Head => ({ seq: integer(row, "seq"), id: integer(row, "id") });

const readSeq = (row: Row): number => integer(row, "seq");

const readNonce = (row: Row) => ({
  fingerprint: text(row, "fingerprint"),
  seq: integer(row, "seq"),
  at: integer(row, "at"),
});

/** Where a message lies. */
interface Place {
  readonly id: number;
  readonly groupId: number;
  readonly seq: number;
}

const readPlace = (row: Row): Place => ({
  id: integer(row, "id"),
  groupId: integer(row, "group_id"),
  seq: integer(row, "seq"),
});

const columns = `group_id, seq, id, user_id, external, type, content, pinyin, nickname, nickname_pinyin, create_time,
  receive_time, bot_message_id`;

const nobody: Head = { seq: 0, id: 0 };

/** The statements, apart so that a test can ask SQLite how it runs them. */
export const messageSql = {
  page: `SELECT ${columns} FROM messages WHERE group_id = ? AND seq <= ? ORDER BY seq DESC LIMIT ?`,
  seqBelow: "SELECT seq FROM messages WHERE group_id = ? AND id < ? ORDER BY id DESC LIMIT 1",
  at: `SELECT ${columns} FROM messages WHERE group_id = ? AND seq = ?`,
  byId: `SELECT ${columns} FROM messages WHERE group_id = ? AND id = ?`,
  since: "SELECT id, group_id, seq FROM messages WHERE group_id = ? AND id > ? AND id < ? ORDER BY id LIMIT ?",
  head: "SELECT seq, id FROM message_heads WHERE group_id = ?",
  forgetNonces: `DELETE FROM message_nonces WHERE (group_id, user_id, external, nonce) IN
    (SELECT group_id, user_id, external, nonce FROM message_nonces WHERE at <= ? ORDER BY at LIMIT 4)`,
} as const;

const prepare = (database: Database) => ({
  page: database.query(messageSql.page, readMessage),
  seqBelow: database.query(messageSql.seqBelow, readSeq),
  at: database.query(messageSql.at, readMessage),
  byId: database.query(messageSql.byId, readMessage),
  since: database.query(messageSql.since, readPlace),
  head: database.query(messageSql.head, readHead),
  moveHead: database.command("INSERT OR REPLACE INTO message_heads (group_id, seq, id) VALUES (?, ?, ?)"),
  insert: database.command(`INSERT INTO messages (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
  nonce: database.query(
    "SELECT fingerprint, seq, at FROM message_nonces WHERE group_id = ? AND user_id = ? AND external = ? AND nonce = ?",
    readNonce,
  ),
  keepNonce: database.command(`
    INSERT OR REPLACE INTO message_nonces (group_id, user_id, external, nonce, fingerprint, seq, at)
    VALUES (?, ?, ?, ?, ?, ?, ?)`),
  forgetNonces: database.command(messageSql.forgetNonces),
  botMessage: database.query(
    "SELECT id, group_id, seq FROM bot_messages WHERE account = ? AND bot_message_id = ?",
    readPlace,
  ),
  keepBotMessage: database.command(
    "INSERT INTO bot_messages (account, bot_message_id, id, group_id, seq) VALUES (?, ?, ?, ?, ?)",
  ),
});

/** Messages of chat rooms. Their place in a room is a dense number, so that a page is arithmetic and one range. */
export class SqliteMessageStore implements MessageStore {
  readonly #database: Database;
  readonly #commit: GroupCommit;
  readonly #ids: Ids;
  readonly #bucket: SqliteBucketStore;
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database, commit: GroupCommit, ids: Ids, bucket: SqliteBucketStore) {
    this.#database = database;
    this.#commit = commit;
    this.#ids = ids;
    this.#bucket = bucket;
    this.#sql = prepare(database);
  }

  append(append: MessageAppend): Promise<MessageAppended> {
    return this.#commit.write(() => this.#append(append));
  }

  page(page: {
    readonly groupId: number;
    readonly before: number | null;
    readonly limit: number;
  }): Promise<MessagePage> {
    const { groupId, before, limit } = page;
    return this.#database.readTogether(() => {
      const head = this.#sql.head.one(groupId) ?? nobody;
      const top = before === null || before > head.id ? head.seq : (this.#sql.seqBelow.one(groupId, before) ?? 0);
      const messages = this.#sql.page.all(groupId, top, limit);
      const above = top + limit + 1 <= head.seq ? this.#sql.at.only(groupId, top + limit + 1).id : null;
      return { messages, newer: head.seq - top, older: top - messages.length, above, newest: head.id };
    });
  }

  findMessage(groupId: number, id: number): Promise<MessageRecord | null> {
    return this.#database.read(() => this.#sql.byId.one(groupId, id));
  }

  listSince(since: {
    readonly groupIds: readonly number[];
    readonly after: number;
    readonly limit: number;
  }): Promise<readonly MessageRecord[]> {
    return this.#database.readTogether(() =>
      this.#placesSince(since).map(({ groupId, seq }) => this.#sql.at.only(groupId, seq)),
    );
  }

  findNewest(groupIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
    return this.#database.readTogether(() => {
      const newest = new Map<number, number>();
      for (const groupId of groupIds) {
        const head = this.#sql.head.one(groupId);
        if (head !== null) newest.set(groupId, head.id);
      }
      return newest;
    });
  }

  /** Where the messages of `listSince` lie. No room is read further than the answer can reach. */
  #placesSince({ groupIds, after, limit }: Parameters<MessageStore["listSince"]>[0]): readonly Place[] {
    let places: readonly Place[] = [];
    for (const groupId of new Set(groupIds)) {
      const last = places.length === limit ? places.at(-1) : undefined;
      const more = this.#sql.since.all(groupId, after, last?.id ?? Number.MAX_SAFE_INTEGER, limit);
      places = [...places, ...more].toSorted((a, b) => a.id - b.id).slice(0, limit);
    }
    return places;
  }

  #append(append: MessageAppend): MessageAppended {
    const repeated = this.#findRepeated(append);
    if (repeated !== null) return repeated;
    const md5 = this.#bucket.findMissing([...append.files, ...append.attachments.map((attachment) => attachment.md5)]);
    if (md5 !== null) return { outcome: "file_missing", md5 };
    const message = this.#insert(append.message);
    this.#bucket.use({ md5s: append.files, attachments: append.attachments, at: message.receiveTime });
    this.#remember(append, message);
    return { outcome: "appended", message };
  }

  #findRepeated({ message, nonce, bot }: MessageAppend): MessageAppended | null {
    const { groupId, userId, external, receiveTime } = message;
    const known = nonce === null ? null : this.#sql.nonce.one(groupId, userId, Number(external), nonce.value);
    if (nonce !== null && known !== null && known.at > receiveTime - nonce.life) {
      if (known.fingerprint !== nonce.fingerprint) return { outcome: "nonce_conflict" };
      return { outcome: "repeated", message: this.#sql.at.only(groupId, known.seq) };
    }
    const place = bot === null ? null : this.#sql.botMessage.one(bot.account, bot.messageId);
    return place === null ? null : { outcome: "repeated", message: this.#sql.at.only(place.groupId, place.seq) };
  }

  #insert(append: MessageAppend["message"]): MessageRecord {
    const id = this.#ids.next("message");
    const seq = (this.#sql.head.one(append.groupId)?.seq ?? 0) + 1;
    const message = { ...append, id, seq };
    this.#sql.insert(
      message.groupId,
      seq,
      id,
      message.userId,
      Number(message.external),
      message.type,
      message.content,
      message.pinyin,
      message.nickname,
      message.nicknamePinyin,
      message.createTime,
      message.receiveTime,
      message.botMessageId,
    );
    this.#sql.moveHead(message.groupId, seq, id);
    return message;
  }

  /** Keeps by what a repeat of this message will be known. */
  #remember({ nonce, bot }: MessageAppend, { id, groupId, seq, userId, external, receiveTime }: MessageRecord): void {
    if (nonce !== null) {
      this.#sql.forgetNonces(receiveTime - nonce.life);
      this.#sql.keepNonce(groupId, userId, Number(external), nonce.value, nonce.fingerprint, seq, receiveTime);
    }
    if (bot !== null) this.#sql.keepBotMessage(bot.account, bot.messageId, id, groupId, seq);
  }
}
