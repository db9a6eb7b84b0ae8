import { createFairQueue, nextTick } from "@telex/core/transport";
import { isNotice, isRecalled, type MessageRecord, plainText, readContent, type Room } from "@telex/core/storage";
import type { AuthDeps } from "../options.ts";
import type { Activity } from "./activity.ts";
import { findWanting, isPrivate } from "./audience.ts";
import type { Delivery } from "./delivery.ts";
import type { PushPayload } from "./payload.ts";
import type { Subscription } from "./records.ts";
import type { Subscribers } from "./subscribers.ts";
import type { Subscriptions } from "./subscriptions.ts";
import type { Windows } from "./windows.ts";

interface RoomNewsDeps extends Pick<AuthDeps, "telex" | "storage"> {
  readonly subscribers: Subscribers;
  readonly subscriptions: Pick<Subscriptions, "listOf">;
  readonly activity: Activity;
  readonly windows: Windows;
  readonly delivery: Delivery;
}

/** Messages whose readers are being found. Those of one room keep their order. */
const queueLimits = { running: 4, runningOfKey: 1, waiting: 10_000, waitingOfKey: 10_000, wait: 60_000 };

/** Members of a room who are looked at in one tick: each takes several reads. */
const batchSize = 100;

interface RoomReader {
  readonly userId: number;
  readonly groupId: number;
}

/** The newest of these messages that still exists, and how many there are up to it. */
async function newestOf({ storage }: RoomNewsDeps, groupId: number, ids: readonly number[]) {
  for (let count = ids.length; count > 0; count -= 1) {
    const message = await storage.messages.findMessage(groupId, ids[count - 1] ?? 0);
    if (message !== null && !isRecalled(message)) return { message, count };
  }
  return null;
}

function payloadOf(room: Room, message: MessageRecord, { count, hasText }: { count: number; hasText: boolean }) {
  const { groupId, groupType, name } = room.group;
  const { id: messageId, nickname, content } = message;
  const isPair = isPrivate(room);
  const text = hasText ? plainText(readContent(content)) : null;
  return {
    groupId,
    groupType,
    messageId,
    count,
    title: isPair ? nickname : name,
    ...(text !== null && { body: isPair ? text : `${nickname}: ${text}` }),
    url: `/user/rooms/${groupId}/${messageId}`,
  } satisfies PushPayload;
}

/** The notification of messages of a room, as far as its person may and wants to see them now. */
async function roomPayload(
  deps: RoomNewsDeps,
  { groupId, ids }: { readonly groupId: number; readonly ids: readonly number[] },
  { id, userId, text }: Subscription,
): Promise<PushPayload | null> {
  const { storage, subscriptions } = deps;
  const readings = await storage.messages.findReadings(userId, [groupId]);
  const { readUpTo = 0 } = readings.get(groupId) ?? {};
  const newest = await newestOf(
    deps,
    groupId,
    ids.filter((one) => one > readUpTo),
  );
  if (newest === null) return null;
  // Checked last, because a person who has left or signed out must see nothing more.
  if (!(await subscriptions.listOf(userId)).some((one) => one.id === id)) return null;
  const room = await storage.groups.findRoom(groupId);
  if (room === null || (await findWanting(deps, room, newest.message, [userId])).length === 0) return null;
  return payloadOf(room, newest.message, { count: newest.count, hasText: text });
}

/** Notifies people of messages of their rooms. Call it with each message that this server has stored. */
export function createRoomNews(deps: RoomNewsDeps): (groupId: number, id: number) => Promise<void> {
  const { telex, storage, subscribers, subscriptions, activity, windows, delivery } = deps;
  const queue = createFairQueue(queueLimits, telex.clock);
  const tell = async ({ userId, groupId }: RoomReader, ids: readonly number[]): Promise<void> => {
    for (const to of await subscriptions.listOf(userId))
      if (!activity.isActive(to.sessionId))
        delivery.send(to, (subscription) => roomPayload(deps, { groupId, ids }, subscription));
  };
  const send = (reader: RoomReader, ids: readonly number[]): void =>
    void tell(reader, ids).catch((cause: unknown) => telex.log.error("push.tell_failed", {}, cause));
  const hear = async (groupId: number, id: number): Promise<void> => {
    const room = await storage.groups.findRoom(groupId);
    const userIds = room?.members.keys().filter(subscribers.has).toArray() ?? [];
    if (room === null || userIds.length === 0) return;
    const message = await storage.messages.findMessage(groupId, id);
    if (message === null || isNotice(message)) return;
    for (let from = 0; from < userIds.length; from += batchSize, await nextTick())
      for (const userId of await findWanting(deps, room, message, userIds.slice(from, from + batchSize)))
        windows.note(`room/${userId}/${groupId}`, id, (ids) => send({ userId, groupId }, ids));
  };
  return async (groupId, id) => {
    await subscribers.ready();
    if (subscribers.size() > 0) await queue.run(String(groupId), undefined, () => hear(groupId, id));
  };
}
