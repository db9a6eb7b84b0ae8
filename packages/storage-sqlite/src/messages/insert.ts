import type { MessageRecord, NewMessage } from "@telex/core/storage";
import type { Ids } from "../engine/ids.ts";
import type { prepareMessages } from "../sql/messages.ts";

interface InsertDeps {
  readonly ids: Ids;
  readonly sql: Pick<ReturnType<typeof prepareMessages>, "head" | "insert">;
}

/** Assigns a new message its position and its id, and stores it. Only call it in a transaction. */
export function insertMessage({ ids, sql }: InsertDeps, append: NewMessage): MessageRecord {
  const id = ids.next("message");
  const seq = (sql.head.one(append.groupId)?.seq ?? 0) + 1;
  const { mentions = null, extras = null } = append;
  const message = { ...append, id, seq, mentions, extras, changed: 0 };
  sql.insert(
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
    message.notice,
    mentions,
    extras,
    0,
  );
  return message;
}
