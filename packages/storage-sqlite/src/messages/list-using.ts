import type { MessageRecord, MessageStore } from "@telex/core/storage";
import type { prepareMessages } from "../sql/messages.ts";

type Sql = Pick<ReturnType<typeof prepareMessages>, "using" | "at">;

/** The messages of some rooms that use a file: one look-up in the index per room. */
export function listUsing(sql: Sql, page: Parameters<MessageStore["listUsing"]>[0]): readonly MessageRecord[] {
  const { md5, after, limit } = page;
  const messages: MessageRecord[] = [];
  for (const groupId of page.groupIds.filter((one) => one >= after.groupId).toSorted((a, b) => a - b)) {
    const from = groupId === after.groupId ? after.seq : 0;
    for (const seq of sql.using.all(md5, groupId, from, limit - messages.length))
      messages.push(...sql.at.all(groupId, seq));
    if (messages.length >= limit) break;
  }
  return messages;
}
