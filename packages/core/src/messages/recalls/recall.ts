import type { z } from "zod";
import type { RecallInNetwork } from "../../networks/sending.ts";
import type { RoomsOfMessages } from "../rooms.ts";
import type { Room } from "../../records/groups.ts";
import type { MessagesLimits } from "../limits.ts";
import type { MessagesContract, MessageView } from "../contract.ts";
import type { FanOut } from "@telex/ground/concurrency";
import type { MessagesLiveEvent } from "../live-events.ts";
import type { Pinyin } from "@telex/search-terms";
import { createLru } from "@telex/ground/caches";
import { routeOf, type TokenHolder } from "@telex/ground/contract";
import { TelexError } from "@telex/ground/errors";
import type { SecurityLog } from "@telex/ground/log";
import type { Clock } from "@telex/ground/time";
import { toPinyin } from "../../records/segments.ts";
import { isRecalledContent, recalledSegments } from "./recalled.ts";
import type { MessageStore, Recall } from "../store.ts";
import { isNotice, type MessageRecord } from "../../records/messages.ts";
import type { ViewMessage } from "../view.ts";

/** Recent recalls: each is published once here, and a message that comes later than its recall comes empty. */
const remembered = 10_000;

interface RecallNewsDeps {
  readonly store: Pick<MessageStore, "listRecalls" | "findMessage">;
  readonly findRoom: RoomsOfMessages["find"];
  readonly fanOut: Pick<FanOut<MessagesLiveEvent>, "publish">;
  readonly limits: Pick<MessagesLimits, "replayMessages">;
  /** Closes the connections of the members of a room that missed too much: they come again with `since`. */
  readonly missed: (room: Room) => void;
}

/** Tells members of recalls, those of other servers included. */
export interface RecallNews {
  tell(recall: Recall, message: MessageRecord, room: Room): void;
  /** A message was recalled, on this server or another one: `<groupId>/<id of the recall>`. */
  heard(key: string): Promise<void>;
  /** Keeps a message that was changed, unless it was recalled. */
  keep(message: MessageRecord): void;
  /** The message as it is now, as far as this server knows of a recall or a change. */
  current(record: MessageRecord): MessageRecord;
}

export const recallEvent = ({ groupId, messageId, operatorId }: Recall, { group }: Room) =>
  ({
    kind: "message_recalled",
    data: { groupId, groupType: group.groupType, messageId, operatorId },
  }) as const;

export function createRecallNews({ store, findRoom, fanOut, limits, missed }: RecallNewsDeps): RecallNews {
  const published = createLru<number, true>(remembered);
  const recalled = createLru<number, MessageRecord>(remembered);
  const tell = (made: Recall, message: MessageRecord, room: Room): void => {
    if (published.has(made.id)) return;
    published.set(made.id, true);
    recalled.set(message.id, message);
    const sender = made.external ? null : Number(made.operatorId);
    fanOut.publish({ event: recallEvent(made, room), members: room.members, sender, origin: null });
  };
  return {
    tell,
    async heard(key) {
      const [groupId = 0, id = 0] = key.split("/").map(Number);
      const room = published.has(id) ? null : await findRoom(groupId);
      if (room === null) return;
      const recalls = await store.listRecalls({ groupIds: [groupId], after: id - 1, limit: limits.replayMessages });
      if (recalls === null) return missed(room);
      for (const made of recalls) {
        const message = await store.findMessage(groupId, made.messageId);
        if (message !== null) tell(made, message, room);
      }
    },
    keep(message) {
      const existing = recalled.get(message.id);
      if (existing === undefined || (!isRecalledContent(existing.content) && existing.changed < message.changed))
        recalled.set(message.id, message);
    },
    current: (record) => (recalled.size === 0 ? record : (recalled.get(record.id) ?? record)),
  };
}

export interface RecallDeps {
  readonly store: Pick<MessageStore, "recall" | "findMessage">;
  readonly rooms: Pick<RoomsOfMessages, "enter">;
  readonly pinyin: Pinyin;
  readonly view: ViewMessage;
  readonly clock: Clock;
  readonly limits: Pick<MessagesLimits, "recallTime">;
  readonly recalls: Pick<RecallNews, "tell">;
  readonly recallInNetwork: RecallInNetwork;
  readonly security: SecurityLog;
}

const emptiedOf = (pinyin: Pinyin) => ({
  content: JSON.stringify(recalledSegments),
  pinyin: JSON.stringify(toPinyin(recalledSegments, (text) => pinyin.text(text))),
});

function refuse(outcome: "missing" | "not_owner" | "too_late", messageId: number, limits: RecallDeps["limits"]): never {
  if (outcome === "too_late") throw new TelexError("too_late", { params: { seconds: limits.recallTime / 1000 } });
  if (outcome === "missing") throw new TelexError("not_found", { reason: "message_unknown", params: { messageId } });
  throw new TelexError("not_owner", { reason: "message_foreign", params: { messageId } });
}

type RecallInput = z.output<MessagesContract["recall"]["input"]>;

/** Empties a message in the store. An admin's recall of a message of another user is logged, also after a failure with an unknown effect. */
async function recallStored(
  deps: RecallDeps,
  { userId, scopes, tokenId }: TokenHolder,
  { groupId, messageId }: RecallInput,
  existing: MessageRecord | null,
) {
  const isOfOther = existing !== null && (existing.external || existing.userId !== String(userId));
  const note = (outcome: { readonly outcome?: "unknown" }): void => {
    const ids = { groupId, messageId, by: userId, byToken: tokenId };
    if (isOfOther && scopes.includes("admin")) deps.security.note("message.recalled", { ...ids, ...outcome });
  };
  const now = deps.clock.now();
  const request = { groupId, messageId, operatorId: String(userId), external: false, ...emptiedOf(deps.pinyin) };
  const ownSince = scopes.includes("admin") ? null : now - deps.limits.recallTime;
  const recalled = await deps.store.recall({ ...request, ownSince }).catch((cause: unknown) => {
    note({ outcome: "unknown" });
    throw cause;
  });
  if (recalled.outcome === "recalled") note({});
  return recalled;
}

/**
 * Recalls a message: the sender within `recallTime`, a member whose token has the scope `admin` any message. Notices of what an
 * admin has done stay.
 */
export async function recall(deps: RecallDeps, caller: TokenHolder, input: RecallInput): Promise<MessageView> {
  const { groupId, messageId } = input;
  const room = await deps.rooms.enter({ groupId, userId: caller.userId });
  const existing = await deps.store.findMessage(groupId, messageId);
  if (existing !== null && isNotice(existing)) throw new TelexError("not_owner", { reason: "message_stays" });
  const recalled = await recallStored(deps, caller, input, existing);
  if (!("message" in recalled)) return refuse(recalled.outcome, messageId, deps.limits);
  const { message } = recalled;
  if (recalled.outcome === "recalled") {
    deps.recalls.tell(recalled.recall, message, room);
    tellNetwork(deps, room, message);
  }
  return deps.view(message, room.group);
}

function tellNetwork(
  { recallInNetwork }: Pick<RecallDeps, "recallInNetwork">,
  { group }: Room,
  { external, id }: MessageRecord,
): void {
  if (!external && routeOf(group.groupType) !== "store") recallInNetwork(group, id);
}

/** Recalls a message of a room that was recalled in its network. `operatorId`: who did it there, or null. */
export async function recallReceived(
  { store, pinyin, recalls }: Pick<RecallDeps, "pinyin" | "recalls"> & { readonly store: Pick<MessageStore, "recall"> },
  room: Room,
  { messageId, operatorId }: Pick<Recall, "messageId" | "operatorId">,
): Promise<"recalled" | "repeated"> {
  const { groupId } = room.group;
  const request = { groupId, messageId, operatorId, external: true, ownSince: null };
  const recalled = await store.recall({ ...request, ...emptiedOf(pinyin) });
  if (!("message" in recalled)) throw new TelexError("storage_unavailable");
  if (recalled.outcome === "recalled") recalls.tell(recalled.recall, recalled.message, room);
  return recalled.outcome;
}
