import type { Documents } from "../driver/documents.ts";
import type { Tx } from "../driver/transaction.ts";

type Head = Documents["heads"];

/** The head of a room, or an initial one for a room without messages. */
export const headOf = async (tx: Tx, groupId: number): Promise<Head> =>
  (await tx.find("heads", groupId)) ?? { _id: groupId, seq: 0, last: 0, newest: 0 };

/** The number of notices in a room including its next message. No field before the first notice, because most rooms have none. */
export function noticesWith(
  { notices = 0 }: Pick<Head, "notices">,
  { notice }: Pick<Documents["messages"], "notice">,
): { readonly notices?: number } {
  const count = notices + Number(notice !== null);
  return count === 0 ? {} : { notices: count };
}

/**
 * Writes the head of a room, so that appends to the room conflict. The document must change: MongoDB skips a write that changes nothing, and
 * such a write never conflicts.
 */
export async function touchHead(tx: Tx, groupId: number): Promise<void> {
  const head = await headOf(tx, groupId);
  tx.put("heads", { ...head, rev: (head.rev ?? 0) + 1 });
}
