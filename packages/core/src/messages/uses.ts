import type { z } from "zod";
import type { MessagesContract } from "./contract.ts";
import type { SearchDeps } from "./search/search.ts";
import type { MessageStore } from "./store.ts";

interface UsesDeps extends Pick<SearchDeps, "listGroupsOf" | "rooms" | "show"> {
  readonly store: Pick<MessageStore, "listUsing">;
}

/** The messages with a file that a user may read. Messages of other rooms are not even counted. */
export async function listUses(
  { store, rooms, show, listGroupsOf }: UsesDeps,
  userId: number,
  { md5, pageSize, cursor }: z.output<MessagesContract["uses"]["input"]>,
): Promise<z.output<MessagesContract["uses"]["output"]>> {
  const [groupId = 0, seq = 0] = cursor?.split(".").map(Number) ?? [];
  const after = { groupId, seq };
  const records = await store.listUsing({ md5, groupIds: await listGroupsOf(userId), after, limit: pageSize });
  const list: z.output<MessagesContract["uses"]["output"]>["list"] = [];
  for (const record of records) {
    // The user may have left the room since.
    const room = await rooms.find(record.groupId);
    if (room?.members.has(userId) === true) list.push(await show(record, room.group));
  }
  const last = records.length < pageSize ? undefined : records.at(-1);
  return { list, nextCursor: last === undefined ? null : `${last.groupId}.${last.seq}` };
}
