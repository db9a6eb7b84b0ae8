import {
  type DeviceAppend,
  type DeviceAppended,
  type DeviceMessageRecord,
  isNewText,
  newText,
} from "@telex/core/storage";
import { plain } from "../driver/collections.ts";
import { type DeviceDocument, seen } from "./device-claims.ts";
import { type DocumentId, type Documents, idFor, recordOf } from "../driver/documents.ts";
import type { Ids } from "../clock/ids.ts";
import type { Tx } from "../driver/transaction.ts";
import type { Ref } from "../driver/ref.ts";

export type MessageDocument = Documents["deviceMessages"];

export const rootOf = (deviceId: string): string => `device ${deviceId}`;

/** Servers of the previous version hold single messages. */
const unheld = { holder: null, until: 0 } as const;

function nonceId({ deviceId, direction, nonce }: DeviceAppend): DocumentId | null {
  return nonce === null ? null : idFor([deviceId, direction === "from_device", nonce]);
}

export function refsOf(input: DeviceAppend): Ref[] {
  const id = nonceId(input);
  return [
    { name: "devices", id: input.deviceId },
    ...(id === null ? [] : [{ name: "deviceNonces", id, guess: "absent" } as const]),
  ];
}

async function findRepeated(tx: Tx, input: DeviceAppend): Promise<MessageDocument | null> {
  const id = nonceId(input);
  const first = id === null ? null : await tx.find("deviceNonces", id);
  if (first === null || input.now - first.at >= input.nonceLife) return null;
  return tx.find("deviceMessages", idFor([input.deviceId, first.id]));
}

/** The id of the schedule that a text fulfils; null if the text was not scheduled. */
const scheduleOf = ({ deviceId, scheduleId = null }: DeviceAppend): DocumentId | null =>
  scheduleId === null ? null : idFor([deviceId, scheduleId]);

/** Inserts a new message and its nonce. */
async function add(tx: Tx, ids: Ids, device: DeviceDocument, input: DeviceAppend): Promise<DeviceMessageRecord> {
  const { direction, content, nonce, now, room: isOfRoom = false } = input;
  const { deviceId } = device;
  const delivered = direction === "from_device";
  const room = delivered ? device.roomId !== null : isOfRoom;
  const id = await ids.next(tx, "deviceMessage", Math.max(device.newest, device.floor));
  const { title = null, via = null, priority = newText.priority, expiresAt = null } = input;
  const given = { direction, content, title, via, priority, expiresAt };
  const message: DeviceMessageRecord = { ...newText, deviceId, id, ...given, delivered, createdAt: now, room };
  // The root first: if it conflicts, nothing else was written in vain.
  tx.put("devices", { ...device, newest: id, waiting: device.waiting + Number(!delivered) });
  tx.add("deviceMessages", { ...plain("deviceMessages", message), ...unheld });
  if (nonce !== null)
    tx.put("deviceNonces", plain("deviceNonces", { deviceId, fromDevice: delivered, nonce, id, at: now }));
  return message;
}

/** Expired texts do not count. */
async function isFull(
  tx: Tx,
  { waiting }: DeviceDocument,
  { deviceId, now, queueLimit }: DeviceAppend,
): Promise<boolean> {
  const excess = waiting - queueLimit;
  if (excess < 0) return false;
  const filter = { deviceId, delivered: false, expiresAt: { $lte: now } };
  return (await tx.list("deviceMessages", filter, { limit: excess + 1 })).length <= excess;
}

export async function append(tx: Tx, ids: Ids, before: DeviceDocument, input: DeviceAppend): Promise<DeviceAppended> {
  const isIncoming = input.direction === "from_device";
  const schedule = scheduleOf(input);
  if (schedule !== null && (await tx.find("deviceSchedules", schedule)) === null) return { outcome: "unscheduled" };
  const named = await findRepeated(tx, input);
  const repeated = isNewText(input, named) ? null : named;
  if (repeated !== null && repeated.content !== input.content) return { outcome: "nonce_conflict" };
  if (repeated === null && !isIncoming && (await isFull(tx, before, input))) return { outcome: "full" };
  const device = isIncoming ? seen(before, input.now) : before;
  const record = recordOf("devices", device);
  if (schedule !== null) tx.drop("deviceSchedules", schedule);
  if (repeated === null) return { outcome: "appended", message: await add(tx, ids, device, input), device: record };
  if (isIncoming) tx.put("devices", device);
  return { outcome: "repeated", message: recordOf("deviceMessages", repeated), device: record };
}
