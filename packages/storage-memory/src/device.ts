import type { DeviceAppend, DeviceAppended, DeviceMessageRecord, DeviceRecord, Direction } from "@telex/core/storage";
import type { Nonces } from "./nonces.ts";
import { placeOf, putSorted } from "./sorted.ts";

/** Who took a message out of the queue. */
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
  /** Undelivered messages by id, and who holds them. A hold leaves a message in its place. */
  readonly queue: Map<number, Hold | null>;
  /** The id of the first message. */
  readonly nonces: Nonces<number>;
}

/** The key by which messages are sorted. */
export const idOf = ({ id }: DeviceMessageRecord): number => id;
/** True for a message that nobody holds any more. */
const isFree = (hold: Hold | null, now: number): boolean => hold === null || hold.until <= now;

function findMessage({ messages }: Device, id: number): DeviceMessageRecord | null {
  const message = messages[placeOf(messages, idOf, id)];
  return message?.id === id ? message : null;
}

/** A sign of life. */
export function seen(device: Device, now: number): DeviceRecord {
  device.record = { ...device.record, lastSeen: Math.max(device.record.lastSeen, now), away: false };
  return device.record;
}

/** Messages that nobody holds at `now`; with `withoutRooms` those that are not of a room. */
interface FreeQuery {
  readonly now: number;
  readonly limit: number;
  readonly withoutRooms?: boolean;
}

/** The oldest messages that nobody holds, oldest first. */
export function listFree(device: Device, { now, limit, withoutRooms = false }: FreeQuery): DeviceMessageRecord[] {
  const free: DeviceMessageRecord[] = [];
  for (const [id, hold] of device.queue) {
    if (free.length >= limit) break;
    const message = isFree(hold, now) ? findMessage(device, id) : null;
    if (message !== null && !(withoutRooms && message.room)) free.push(message);
  }
  return free;
}

function markDelivered(device: Device, id: number): void {
  const place = placeOf(device.messages, idOf, id);
  const message = device.messages[place];
  if (message?.id === id) device.messages[place] = { ...message, delivered: true };
  device.queue.delete(id);
}

/** Marks those of the queued messages that `chosen` says, and answers their ids. */
export function markWhere(device: Device, ids: Iterable<number>, chosen: (hold: Hold | null) => boolean): number[] {
  const marked: number[] = [];
  for (const id of ids) {
    const hold = device.queue.get(id);
    if (hold === undefined || !chosen(hold)) continue;
    markDelivered(device, id);
    marked.push(id);
  }
  return marked;
}

/** Keeps a message as it was elsewhere, in its place in the queue. */
export function putMessage(device: Device, message: DeviceMessageRecord): void {
  putSorted(device.messages, idOf, message);
  device.queue.delete(message.id);
  if (!message.delivered) device.queue.set(message.id, null);
}

/** The key of a nonce: each direction has its own. */
export const nonceKey = (direction: Direction, nonce: string): string => `${direction}:${nonce}`;

/** Stores one message, or says why not. */
export function append(device: Device, input: DeviceAppend, nextId: () => number): DeviceAppended {
  const { direction, content, now, queueLimit } = input;
  const incoming = direction === "from_device";
  const nonce = input.nonce === null ? null : nonceKey(direction, input.nonce);
  const first = nonce === null ? null : device.nonces.find(nonce, now, input.nonceLife);
  const repeated = first === null ? null : findMessage(device, first);
  if (repeated !== null && repeated.content !== content) return { outcome: "nonce_conflict" };
  if (repeated === null && !incoming && device.queue.size >= queueLimit) return { outcome: "full" };
  const record = incoming ? seen(device, now) : device.record;
  if (repeated !== null) return { outcome: "repeated", message: repeated, device: record };
  const { deviceId } = device.record;
  const room = incoming ? record.roomId !== null : (input.room ?? false);
  const message = { id: nextId(), deviceId, direction, content, delivered: incoming, createdAt: now, room };
  device.messages.push(message);
  if (!incoming) device.queue.set(message.id, null);
  if (nonce !== null) device.nonces.keep(nonce, now, message.id);
  return { outcome: "appended", message, device: record };
}
