import {
  type DeviceAppend,
  type DeviceAppended,
  type DeviceMessageRecord,
  type DeviceRecord,
  type Direction,
  isNewText,
} from "@telex/core/storage";
import type { Nonces } from "../engine/nonces.ts";
import { placeOf, putSorted } from "../engine/sorted.ts";

/** The holder of a device's queue. */
interface Hold {
  readonly holder: string;
  /** Unix milliseconds. */
  readonly until: number;
}

/** A device with everything that belongs to it. */
export interface Device {
  record: DeviceRecord;
  /** Both directions, by id. */
  readonly messages: DeviceMessageRecord[];
  /** The ids of undelivered messages, the oldest first. */
  readonly queue: Set<number>;
  hold: Hold | null;
  /** The id of the first message. */
  readonly nonces: Nonces<number>;
}

/** The key by which messages are sorted. */
export const idOf = ({ id }: DeviceMessageRecord): number => id;

/** The holder of the queue, if its time is not over. */
export const holderOf = ({ hold }: Device, now: number): string | null =>
  hold === null || hold.until <= now ? null : hold.holder;

function findMessage({ messages }: Device, id: number): DeviceMessageRecord | null {
  const message = messages[placeOf(messages, idOf, id)];
  return message?.id === id ? message : null;
}

/** A sign of life. */
export function seen(device: Device, now: number): DeviceRecord {
  device.record = { ...device.record, lastSeen: Math.max(device.record.lastSeen, now), away: false };
  return device.record;
}

/** Undelivered messages above `after`; with `withoutRooms` those that are not of a room. */
interface QueueQuery {
  readonly after?: number;
  readonly limit: number;
  readonly withoutRooms?: boolean;
}

/** The oldest undelivered messages, oldest first. */
export function listQueued(
  device: Device,
  { after = 0, limit, withoutRooms = false }: QueueQuery,
): DeviceMessageRecord[] {
  const queued: DeviceMessageRecord[] = [];
  for (const id of device.queue) {
    if (queued.length >= limit) break;
    const message = id > after ? findMessage(device, id) : null;
    if (message !== null && !(withoutRooms && message.room)) queued.push(message);
  }
  return queued;
}

function markDelivered(device: Device, id: number): void {
  const place = placeOf(device.messages, idOf, id);
  const message = device.messages[place];
  if (message?.id === id) device.messages[place] = { ...message, delivered: true };
  device.queue.delete(id);
}

/** Marks those of these messages that wait, and answers their ids. */
export function mark(device: Device, ids: Iterable<number>): number[] {
  const marked = [...new Set(ids)].filter((id) => device.queue.has(id));
  for (const id of marked) markDelivered(device, id);
  return marked;
}

/** Keeps a message as it was elsewhere, in its place in the queue. */
export function putMessage(device: Device, message: DeviceMessageRecord): void {
  putSorted(device.messages, idOf, message);
  device.queue.delete(message.id);
  if (!message.delivered) device.queue.add(message.id);
}

/** The key of a nonce: each direction has its own. */
export const nonceKey = (direction: Direction, nonce: string): string => `${direction}:${nonce}`;

/** Stores one message, or says why not. */
export function append(device: Device, input: DeviceAppend, nextId: () => number): DeviceAppended {
  const { direction, content, now, queueLimit } = input;
  const incoming = direction === "from_device";
  const nonce = input.nonce === null ? null : nonceKey(direction, input.nonce);
  const first = nonce === null ? null : device.nonces.find(nonce, now, input.nonceLife);
  const named = first === null ? null : findMessage(device, first);
  const repeated = isNewText(input, named) ? null : named;
  if (repeated !== null && repeated.content !== content) return { outcome: "nonce_conflict" };
  if (repeated === null && !incoming && device.queue.size >= queueLimit) return { outcome: "full" };
  const record = incoming ? seen(device, now) : device.record;
  if (repeated !== null) return { outcome: "repeated", message: repeated, device: record };
  const { deviceId } = device.record;
  const room = incoming ? record.roomId !== null : (input.room ?? false);
  const message = { id: nextId(), deviceId, direction, content, delivered: incoming, createdAt: now, room };
  device.messages.push(message);
  if (!incoming) device.queue.add(message.id);
  if (nonce !== null) device.nonces.keep(nonce, now, message.id);
  return { outcome: "appended", message, device: record };
}
