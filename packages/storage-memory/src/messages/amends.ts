import type { MessageAmend, MessageAmended, MessageRecord } from "@telex/core/storage";
import type { Report } from "../stores/changes.ts";
import type { KeptMessages } from "./kept-messages.ts";
import { indexOfKey } from "../engine/sorted.ts";

/** Notes that a message was changed, if `changed` says so. */
export function noteAmended(
  { amended }: Pick<KeptMessages, "amended">,
  { groupId, seq, changed }: MessageRecord,
): void {
  if (changed > 0) amended.set(groupId, (amended.get(groupId) ?? new Set<number>()).add(seq));
}

/** Changes a message that was not recalled. */
export function amendMessage(
  stored: KeptMessages,
  report: Report,
  { groupId, messageId, decide }: MessageAmend,
): MessageAmended {
  const room = stored.rooms.get(groupId) ?? [];
  const before = room[indexOfKey(room, ({ id }) => id, messageId)];
  if (before?.id !== messageId || stored.recalled.has(messageId)) return { outcome: "missing" };
  const decided = decide(before);
  if (decided === null) return { outcome: "same", message: before };
  const { terms, ...texts } = decided.texts ?? { terms: null };
  const message: MessageRecord = { ...before, ...texts, extras: decided.extras, changed: stored.counter.next() };
  room[message.seq - 1] = message;
  noteAmended(stored, message);
  if (terms !== null) {
    stored.unindexed.delete(messageId);
    stored.outdated.delete(messageId);
    stored.terms.set(messageId, Uint32Array.from(new Set(terms)));
  } else if (stored.unindexed.has(messageId)) stored.unindexed.set(messageId, message);
  report("amended", `${groupId}/${message.changed}`);
  return { outcome: "amended", message };
}

/** All messages that were changed after a change, or null if there are too many. */
export function amendedSince(
  { rooms, amended }: Pick<KeptMessages, "rooms" | "amended">,
  { groupIds, after, limit }: { readonly groupIds: readonly number[]; readonly after: number; readonly limit: number },
): MessageRecord[] | null {
  const matches = [...new Set(groupIds)]
    .flatMap((groupId) => Array.from(amended.get(groupId) ?? [], (seq) => rooms.get(groupId)?.[seq - 1]))
    .filter((message) => message !== undefined)
    .filter(({ changed }) => changed > after);
  return matches.length > limit ? null : matches.toSorted((a, b) => a.changed - b.changed);
}
