import type { MessagePage, MessageRecord } from "@telex/core/storage";
import type { prepareMessages } from "../sql/messages.ts";
import type { Head, Position } from "../sql/message-rows.ts";

type Statements = ReturnType<typeof prepareMessages>;

/** The head of an empty room. */
const empty: Head = { seq: 0, id: 0 };

/** The newest messages of a room. */
export function newestPage({ page }: Pick<Statements, "page">, groupId: number, limit: number): MessagePage {
  const messages = page.all(groupId, Number.MAX_SAFE_INTEGER, limit);
  const newest = messages[0] ?? empty;
  return { messages, newer: 0, older: newest.seq - messages.length, above: null, newest: newest.id };
}

/** The messages of a room before an id. Must run in one transaction. */
export function pageBefore(
  { headAndTop, page, idAt }: Pick<Statements, "headAndTop" | "page" | "idAt">,
  groupId: number,
  before: number,
  limit: number,
): MessagePage {
  const { head, top } = headAndTop.one(groupId, before, groupId) ?? { head: empty, top: 0 };
  const messages = page.all(groupId, top, limit);
  const above = top + limit + 1 <= head.seq ? idAt.only(groupId, top + limit + 1) : null;
  return { messages, newer: head.seq - top, older: top - messages.length, above, newest: head.id };
}

/** The messages at these positions; null without positions, or if the texts have more than `bytes` bytes. */
export function readWithin(
  { at }: Pick<Statements, "at">,
  positions: readonly Position[] | null,
  bytes: number,
): readonly MessageRecord[] | null {
  if (positions === null) return null;
  const messages: MessageRecord[] = [];
  let size = 0;
  for (const { groupId, seq } of positions) {
    const message = at.only(groupId, seq);
    size += Buffer.byteLength(message.content) + Buffer.byteLength(message.pinyin);
    if (size > bytes) return null;
    messages.push(message);
  }
  return messages;
}
