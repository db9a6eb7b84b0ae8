import {
  type DeviceAppend,
  type DeviceAppended,
  type DeviceMessageRecord,
  type DeviceRecord,
  type DeviceScheduleRecord,
  type Direction,
  isNewText,
  newText,
  type TextOrder,
} from "@telex/core/storage";
import type { Nonces } from "../engine/nonces.ts";
import { indexOfKey, putSorted } from "../engine/sorted.ts";

/** Who holds the queue of a device, and until when. */
interface QueueLease {
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
  lease: QueueLease | null;
  /** The id of the first message with each nonce. */
  readonly nonces: Nonces<number>;
  /** Texts that are sent later, by id. */
  readonly schedules: Map<number, DeviceScheduleRecord>;
}

export const idOf = ({ id }: DeviceMessageRecord): number => id;

/** The holder of the queue, unless its time is over. */
export const holderOf = ({ lease }: Device, now: number): string | null =>
  lease === null || lease.until <= now ? null : lease.holder;

function findMessage({ messages }: Device, id: number): DeviceMessageRecord | null {
  const message = messages[indexOfKey(messages, idOf, id)];
  return message?.id === id ? message : null;
}

/** Notes a sign of life. */
export function seen(device: Device, now: number): DeviceRecord {
  device.record = { ...device.record, lastSeen: Math.max(device.record.lastSeen, now), away: false };
  return device.record;
}

/** Selects undelivered messages above `after`; with `withoutRooms`, only those that are not from a room. */
interface QueueQuery {
  readonly after?: number;
  readonly limit: number;
  readonly withoutRooms?: boolean;
  readonly order?: TextOrder | undefined;
  /** Unix milliseconds. */
  readonly now: number;
}

/** True once a message has expired. */
export const isOver = ({ expiresAt }: DeviceMessageRecord, now: number): boolean =>
  expiresAt !== null && expiresAt <= now;

const byUrgency = (a: DeviceMessageRecord, b: DeviceMessageRecord): number => b.priority - a.priority || a.id - b.id;

export const waitingIn = (device: Device): DeviceMessageRecord[] =>
  Array.from(device.queue).flatMap((id) => findMessage(device, id) ?? []);

/** The first undelivered messages. */
export function listQueued(
  device: Device,
  { after = 0, limit, withoutRooms = false, order, now }: QueueQuery,
): DeviceMessageRecord[] {
  const queued: DeviceMessageRecord[] = [];
  for (const id of device.queue) {
    if (queued.length >= limit && order === undefined) break;
    const message = id > after ? findMessage(device, id) : null;
    if (message !== null && !(withoutRooms && message.room) && !isOver(message, now)) queued.push(message);
  }
  return order === undefined ? queued : queued.toSorted(byUrgency).slice(0, limit);
}

/** Changes a message at its position. */
export function amendMessage(device: Device, id: number, change: Partial<DeviceMessageRecord>): void {
  const index = indexOfKey(device.messages, idOf, id);
  const message = device.messages[index];
  if (message?.id === id) device.messages[index] = { ...message, ...change };
}

/** Marks the waiting ones of these messages as delivered, and returns their ids. */
export function mark(device: Device, ids: Iterable<number>, ended: DeviceMessageRecord["ended"] = null): number[] {
  const marked = [...new Set(ids)].filter((id) => device.queue.has(id));
  for (const id of marked) {
    amendMessage(device, id, { delivered: true, ended });
    device.queue.delete(id);
  }
  return marked;
}

/** Stores an imported message unchanged, at its position in the queue. */
export function putMessage(device: Device, message: DeviceMessageRecord): void {
  putSorted(device.messages, idOf, message);
  device.queue.delete(message.id);
  if (!message.delivered) device.queue.add(message.id);
}

/** The key of a nonce: each direction has its own. */
export const nonceKey = (direction: Direction, nonce: string): string => `${direction}:${nonce}`;

/** Expired texts do not count. */
const isFull = (device: Device, limit: number, now: number): boolean =>
  device.queue.size >= limit && waitingIn(device).filter((message) => !isOver(message, now)).length >= limit;

/** Stores one message, or returns the reason why not. */
export function append(device: Device, input: DeviceAppend, nextId: () => number): DeviceAppended {
  const { direction, content, now, queueLimit, scheduleId = null } = input;
  if (scheduleId !== null && !device.schedules.has(scheduleId)) return { outcome: "unscheduled" };
  const incoming = direction === "from_device";
  const nonce = input.nonce === null ? null : nonceKey(direction, input.nonce);
  const first = nonce === null ? null : device.nonces.find(nonce, now, input.nonceLife);
  const named = first === null ? null : findMessage(device, first);
  const repeated = isNewText(input, named) ? null : named;
  if (repeated !== null && repeated.content !== content) return { outcome: "nonce_conflict" };
  if (repeated === null && !incoming && isFull(device, queueLimit, now)) return { outcome: "full" };
  const record = incoming ? seen(device, now) : device.record;
  if (scheduleId !== null) device.schedules.delete(scheduleId);
  if (repeated !== null) return { outcome: "repeated", message: repeated, device: record };
  const { deviceId } = device.record;
  const room = incoming ? record.roomId !== null : (input.room ?? false);
  const { title = null, via = null, priority = newText.priority, expiresAt = null } = input;
  const fields = { direction, content, title, via, priority, expiresAt };
  const given = { deviceId, ...fields, delivered: incoming, createdAt: now, room };
  const message: DeviceMessageRecord = { ...newText, ...given, id: nextId() };
  device.messages.push(message);
  if (!incoming) device.queue.add(message.id);
  if (nonce !== null) device.nonces.keep(nonce, now, message.id);
  return { outcome: "appended", message, device: record };
}
