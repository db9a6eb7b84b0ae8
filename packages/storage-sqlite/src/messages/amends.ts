import type { MessageAmend, MessageAmended, MessageRecord } from "@telex/core/storage";
import type { SqliteChangeFeed } from "../stores/changes.ts";
import type { Ids } from "../engine/ids.ts";
import type { SearchIndex } from "../search/search-index.ts";
import type { prepareMessages } from "../sql/messages.ts";
import { listNew } from "./since.ts";

interface AmendDeps {
  readonly ids: Ids;
  readonly changes: SqliteChangeFeed;
  readonly index: Pick<SearchIndex, "changeTerms">;
  readonly sql: Pick<ReturnType<typeof prepareMessages>, "amend" | "amended">;
}

/** Changes a message that was not recalled. Only call it in a transaction. */
export function amendMessage(
  { ids, changes, index, sql }: AmendDeps,
  { decide }: MessageAmend,
  before: MessageRecord,
): MessageAmended {
  const decided = decide(before);
  if (decided === null) return { outcome: "same", message: before };
  const { groupId, seq } = before;
  const { type, content, pinyin, mentions } = decided.texts ?? before;
  const message = { ...before, type, content, pinyin, mentions, extras: decided.extras, changed: ids.next("message") };
  sql.amend(type, content, pinyin, mentions, message.extras, message.changed, groupId, seq);
  if (decided.texts !== null) index.changeTerms(groupId, seq, decided.texts.terms);
  changes.record("amended", `${groupId}/${message.changed}`);
  return { outcome: "amended", message };
}

/** The changed messages of some rooms, in the order of their changes; null if there are more than `limit`. */
export function listAmended(
  { amended }: Pick<ReturnType<typeof prepareMessages>, "amended">,
  { groupIds, after, limit }: { readonly groupIds: readonly number[]; readonly after: number; readonly limit: number },
): readonly MessageRecord[] | null {
  const matches = listNew(amended, { groupIds, after, limit });
  return matches === null ? null : matches.toSorted((a, b) => a.changed - b.changed);
}
