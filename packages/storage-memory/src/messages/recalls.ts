import type { MessageRecall, MessageRecalled, MessageRecord, Recall } from "@telex/core/storage";
import type { Report } from "../stores/changes.ts";
import type { Files } from "../stores/files.ts";
import type { KeptMessages } from "./kept-messages.ts";
import { indexOfKey } from "../engine/sorted.ts";

/** The tables that a recall changes. */
interface RecallDeps {
  readonly kept: KeptMessages;
  readonly files: Files;
  readonly report: Report;
}

function refusalOf({ operatorId, ownSince }: MessageRecall, message: MessageRecord): "not_owner" | "too_late" | null {
  if (ownSince === null) return null;
  if (message.external || message.userId !== operatorId) return "not_owner";
  return message.receiveTime < ownSince ? "too_late" : null;
}

function empty({ kept, files, report }: RecallDeps, request: MessageRecall, before: MessageRecord): MessageRecalled {
  const { groupId, operatorId, external, content, pinyin } = request;
  const message: MessageRecord = { ...before, type: 0, content, pinyin, mentions: null, extras: null };
  const { seq, id: messageId } = message;
  kept.rooms.get(groupId)?.splice(seq - 1, 1, message);
  files.release({ groupId, seq }, kept.files.get(messageId) ?? []);
  kept.files.delete(messageId);
  const recall: Recall = { id: kept.counter.next(), groupId, seq, messageId, operatorId, external };
  const recalls = kept.recalls.get(groupId) ?? [];
  recalls.push(recall);
  kept.recalls.set(groupId, recalls);
  kept.recalled.add(messageId);
  if (kept.terms.has(messageId)) kept.terms.set(messageId, new Uint32Array());
  report("recall", `${groupId}/${recall.id}`);
  return { outcome: "recalled", message, recall };
}

/** Recalls a message, once. */
export function recallMessage(deps: RecallDeps, request: MessageRecall): MessageRecalled {
  const room = deps.kept.rooms.get(request.groupId) ?? [];
  const message = room[indexOfKey(room, ({ id }) => id, request.messageId)];
  if (message?.id !== request.messageId) return { outcome: "missing" };
  const refusal = refusalOf(request, message);
  if (refusal === "not_owner") return { outcome: refusal };
  const recall = deps.kept.recalls.get(request.groupId)?.find(({ messageId }) => messageId === message.id);
  if (recall !== undefined) return { outcome: "repeated", message, recall };
  return refusal === null ? empty(deps, request, message) : { outcome: refusal };
}

/** All recalls above an id, or null if there are too many. */
export function recallsSince(
  recalls: ReadonlyMap<number, readonly Recall[]>,
  { groupIds, after, limit }: { readonly groupIds: readonly number[]; readonly after: number; readonly limit: number },
): Recall[] | null {
  const matches: Recall[] = [];
  for (const groupId of new Set(groupIds)) {
    const room = recalls.get(groupId) ?? [];
    const start = indexOfKey(room, ({ id }) => id, after + 1);
    if (matches.length + room.length - start > limit) return null;
    matches.push(...room.slice(start));
  }
  return matches.toSorted((a, b) => a.id - b.id);
}
