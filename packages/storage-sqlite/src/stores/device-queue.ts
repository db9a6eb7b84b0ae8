import {
  type DeviceAppend,
  type DeviceMessageRecord,
  type DeviceTake,
  newText,
  type TeleprinterStore,
} from "@telex/core/storage";
import type { Database } from "../engine/database.ts";
import { QueueLeases } from "./queue-leases.ts";
import type { Ids } from "../engine/ids.ts";
import { directionCode, prepare } from "../sql/device-messages.ts";

type Page = Parameters<TeleprinterStore["page"]>[0];

/** The input of {@link TeleprinterStore.acknowledge}. */
export type Acknowledgement = Parameters<TeleprinterStore["acknowledge"]>[0];

type QueueQuery = Pick<DeviceTake, "deviceId" | "limit" | "after" | "withoutRooms" | "order" | "now">;

/** The result of {@link TeleprinterStore.acknowledge}. */
export type Acknowledged = Awaited<ReturnType<TeleprinterStore["acknowledge"]>>;

/** The result of {@link TeleprinterStore.take}. */
export type DeviceTaken = Awaited<ReturnType<TeleprinterStore["take"]>>;

/** Messages for which marking their range costs less than marking each. */
const shortestRange = 3;

/** True for a message that must be marked as shown, so that its device may acknowledge it after it has expired. */
const isNewlyShown = ({ expiresAt, shown }: DeviceMessageRecord): boolean => expiresAt !== null && !shown;

/**
 * The messages of devices, and the holders of their queues. The row of a device counts its waiting messages, so that a caller
 * knows without a query if the queue is empty.
 */
export class DeviceQueue {
  readonly leases = new QueueLeases();
  readonly #ids: Ids;
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database, ids: Ids) {
    this.#ids = ids;
    this.#sql = prepare(database);
  }

  /** Adds a message and stores its nonce. Only call it in a transaction. */
  insert(append: DeviceAppend): DeviceMessageRecord {
    const { deviceId, direction, content, now, nonce, nonceLife, room = false } = append;
    const { title = null, via = null, priority = newText.priority, expiresAt = null } = append;
    const id = this.#ids.next("device_message");
    const code = directionCode[direction];
    const delivered = direction === "from_device";
    const values = [code, content, Number(delivered), now, Number(room), title, priority, expiresAt, 0, null, via];
    this.#sql.insert(deviceId, id, ...values);
    if (!delivered) this.#sql.enqueue(deviceId);
    if (nonce !== null) {
      this.#sql.forgetNonces(now - nonceLife);
      this.#sql.keepNonce(deviceId, code, nonce, id, now);
    }
    const message = { deviceId, id, direction, content, delivered, createdAt: now, room, title, priority, expiresAt };
    return { ...message, shown: false, ended: null, via };
  }

  /** The earlier message with the nonce of this one, or null. */
  findRepeated({ deviceId, direction, nonce, now, nonceLife }: DeviceAppend): DeviceMessageRecord | null {
    const existing = nonce === null ? null : this.#sql.nonce.one(deviceId, directionCode[direction], nonce);
    return existing === null || existing.at <= now - nonceLife ? null : this.#sql.find.only(deviceId, existing.id);
  }

  /** The first waiting messages above an id. */
  findWaiting({ deviceId, limit, after = 0, withoutRooms = false, order, now }: QueueQuery): DeviceMessageRecord[] {
    const { waiting, waitingWithoutRooms, urgent, urgentWithoutRooms } = this.#sql;
    const [all, some] = order === undefined ? [waiting, waitingWithoutRooms] : [urgent, urgentWithoutRooms];
    return (withoutRooms ? some : all).all(deviceId, after, now, limit);
  }

  /**
   * Takes the queue for its holder, and returns its waiting messages.
   * @param waiting undelivered messages of the device
   */
  take(take: DeviceTake, waiting: number): DeviceTaken {
    const { deviceId, holder, keep = false, now, until } = take;
    if (!keep && waiting === 0) return { outcome: "taken", messages: [] };
    const other = this.leases.holderOf(deviceId, now);
    if (other !== null && other !== holder) return { outcome: "held", holder: other };
    const messages = waiting === 0 ? [] : this.findWaiting(take);
    if (keep || messages.length > 0) this.leases.take(deviceId, { holder, until });
    return { outcome: "taken", messages };
  }

  /** The greatest id of the device's messages, or 0. */
  findNewest(deviceId: string): number {
    return this.#sql.newest.one(deviceId) ?? 0;
  }

  /** Marks messages as delivered, and returns those that were waiting. Only call it in a transaction. */
  deliver(deviceId: string, ids: readonly number[], ended: DeviceMessageRecord["ended"] = null): readonly number[] {
    const isRange = this.#deliverRange(deviceId, ids, ended);
    const marked = isRange ? ids : ids.filter((id) => this.#sql.deliver(ended, deviceId, id) > 0);
    if (marked.length > 0) this.#sql.dequeue(marked.length, deviceId);
    return marked;
  }

  /**
   * Marks messages with one statement, for a third of the cost, if no others wait in their range of ids. Otherwise returns false
   * and changes nothing. The range is narrow, because the statement reads all messages of the device in it.
   */
  #deliverRange(deviceId: string, ids: readonly number[], ended: DeviceMessageRecord["ended"]): boolean {
    const [first = 0] = ids;
    const last = ids.at(-1) ?? 0;
    if (ids.length < shortestRange || last - first >= 2 * ids.length) return false;
    const waiting = this.#sql.waitingBetween.all(deviceId, first, last);
    if (waiting.length !== ids.length || waiting.some((id, index) => id !== ids[index])) return false;
    this.#sql.deliverBetween(ended, deviceId, first, last);
    return true;
  }

  /**
   * The result of an acknowledgement that has nothing to mark, or null. So an empty poll does not write to the disk.
   * @param waiting undelivered messages of the device
   */
  answerWithoutMarking(ack: Acknowledgement, waiting: number): Acknowledged | null {
    const newest = this.findNewest(ack.deviceId);
    if (ack.upTo > newest) return { outcome: "above_newest", newest };
    if (waiting === 0) return { outcome: "acknowledged", messages: [], marked: [] };
    const holder = this.leases.holderOf(ack.deviceId, ack.now);
    if (holder !== null) return { outcome: "held", holder };
    const { ids = [], failedIds = [] } = ack;
    if (ids.length > 0 || failedIds.length > 0 || this.#findMarked(ack).length > 0) return null;
    const messages = this.findWaiting(ack);
    return messages.some(isNewlyShown) ? null : { outcome: "acknowledged", messages, marked: [] };
  }

  /** The waiting messages up to `upTo` of an acknowledgement. */
  #findMarked({ deviceId, upTo, now, withoutRooms = false }: Acknowledgement): number[] {
    if (upTo === 0) return [];
    const waiting = withoutRooms ? this.#sql.waitingIdsWithoutRooms : this.#sql.waitingIds;
    return waiting.all(deviceId, upTo, now);
  }

  /** True if a waiting text expired before a given time. Usually no text has, and the caller writes nothing. */
  hasExpired(before: number): boolean {
    return this.#sql.expired.all(before, 1).length > 0;
  }

  /** True if the queue is full without expired texts. `waiting` counts all texts. */
  isFull({ deviceId, now, queueLimit }: DeviceAppend, waiting: number): boolean {
    const excess = waiting - queueLimit;
    return excess >= 0 && (this.#sql.countExpired.one(now, deviceId, excess + 1) ?? 0) <= excess;
  }

  /** Ends expired texts. Only call it in a transaction. */
  expire({ before, limit }: Parameters<TeleprinterStore["expireTexts"]>[0]): number {
    const expired = this.#sql.expired.all(before, limit);
    for (const { deviceId, id } of expired) this.deliver(deviceId, [id], "expired");
    return expired.length;
  }

  /** Marks acknowledged messages. Only call it in a transaction. */
  acknowledge(ack: Acknowledgement): Acknowledged {
    const { deviceId, ids = [], failedIds = [] } = ack;
    this.deliver(deviceId, failedIds, "failed");
    const marked = this.deliver(deviceId, [...new Set([...this.#findMarked(ack), ...ids])]);
    const messages = this.findWaiting(ack);
    for (const { id } of messages.filter(isNewlyShown)) this.#sql.show(deviceId, id);
    return { outcome: "acknowledged", messages, marked };
  }

  /** Messages of both directions below an id, newest first, at most `limit`. */
  page({ deviceId, before, limit, withoutRooms = false }: Page): DeviceMessageRecord[] {
    const query = withoutRooms ? this.#sql.pageWithoutRooms : this.#sql.page;
    return query.all(deviceId, before ?? Number.MAX_SAFE_INTEGER, limit);
  }
}
