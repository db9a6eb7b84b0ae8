import type { MessageRecall, MessageRecalled, MessageRecord, Recall } from "@telex/core/storage";
import type { SqliteBucketStore } from "../stores/bucket.ts";
import type { SqliteChangeFeed } from "../stores/changes.ts";
import type { Database } from "../engine/database.ts";
import type { Ids } from "../engine/ids.ts";
import type { SearchIndex } from "../search/search-index.ts";
import { listNew } from "./since.ts";
import { flag, integer, type Row, text, textOrNull } from "../engine/rows.ts";

const readRecall = (row: Row): Recall => ({
  id: integer(row, "id"),
  groupId: integer(row, "group_id"),
  seq: integer(row, "seq"),
  messageId: integer(row, "message_id"),
  operatorId: textOrNull(row, "operator_id"),
  external: flag(row, "external"),
});

const select = `SELECT r.id, r.group_id, r.seq, m.id AS message_id, operator_id, r.external
  FROM message_recalls AS r JOIN messages AS m USING (group_id, seq)`;

/** The statements, exported for a test of their query plans. */
export const recallSql = {
  since: `${select} WHERE r.group_id = ? AND r.id > ? ORDER BY r.id LIMIT ?`,
  of: `${select} WHERE r.group_id = ? AND r.seq = ?`,
} as const;

const prepare = (database: Database) => ({
  since: database.query(recallSql.since, readRecall),
  of: database.query(recallSql.of, readRecall),
  insert: database.command(
    "INSERT INTO message_recalls (group_id, id, seq, operator_id, external) VALUES (?, ?, ?, ?, ?)",
  ),
  empty: database.command(
    "UPDATE messages SET type = 0, content = ?, pinyin = ?, mentions = NULL, extras = NULL WHERE group_id = ? AND seq = ?",
  ),
  files: database.query("DELETE FROM message_files WHERE group_id = ? AND seq = ? RETURNING relative_path", (row) =>
    text(row, "relative_path"),
  ),
});

interface RecallDeps {
  readonly database: Database;
  readonly ids: Ids;
  readonly bucket: SqliteBucketStore;
  readonly changes: SqliteChangeFeed;
  readonly index: Pick<SearchIndex, "remove">;
}

function refusalOf({ operatorId, ownSince }: MessageRecall, message: MessageRecord): "not_owner" | "too_late" | null {
  if (ownSince === null) return null;
  if (message.external || message.userId !== operatorId) return "not_owner";
  return message.receiveTime < ownSince ? "too_late" : null;
}

export class Recalls {
  readonly #deps: RecallDeps;
  readonly #sql: ReturnType<typeof prepare>;

  constructor(deps: RecallDeps) {
    this.#deps = deps;
    this.#sql = prepare(deps.database);
  }

  /** Recalls a message, once. Only call it in a transaction. */
  recall(request: MessageRecall, message: MessageRecord): MessageRecalled {
    const refusal = refusalOf(request, message);
    if (refusal === "not_owner") return { outcome: refusal };
    const existing = this.#sql.of.one(message.groupId, message.seq);
    if (existing !== null) return { outcome: "repeated", message, recall: existing };
    return refusal === null ? this.#empty(request, message) : { outcome: refusal };
  }

  /** True for a message that was recalled. */
  has({ groupId, seq }: MessageRecord): boolean {
    return this.#sql.of.one(groupId, seq) !== null;
  }

  /** The recalls of some rooms above an id, by id; null if there are more than `limit`. */
  listSince(groupIds: readonly number[], after: number, limit: number): readonly Recall[] | null {
    return listNew(this.#sql.since, { groupIds, after, limit });
  }

  #empty({ content, pinyin, operatorId, external }: MessageRecall, before: MessageRecord): MessageRecalled {
    const { groupId, seq, id: messageId } = before;
    this.#sql.empty(content, pinyin, groupId, seq);
    this.#deps.bucket.release(before, this.#sql.files.all(groupId, seq));
    this.#deps.index.remove(groupId, seq);
    const id = this.#deps.ids.next("message");
    this.#sql.insert(groupId, id, seq, operatorId, Number(external));
    this.#deps.changes.record("recall", `${groupId}/${id}`);
    return {
      outcome: "recalled",
      message: { ...before, type: 0, content, pinyin, mentions: null, extras: null },
      recall: { id, groupId, seq, messageId, operatorId, external },
    };
  }
}
