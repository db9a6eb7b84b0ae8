import { second, type Zone } from "@telex/ground/time";
import type { TeleprinterLimits } from "./limits.ts";
import type { DeviceMessageView, DeviceView } from "./contract.ts";
import {
  type DeviceMessageRecord,
  type DeviceRecord,
  type DeviceScheduleRecord,
  newText,
} from "../records/teleprinter.ts";

/** True while a device counts as online at `now` (Unix milliseconds; interface 3.1). */
export const isOnline = (
  device: DeviceRecord,
  now: number,
  limits: Pick<TeleprinterLimits, "deviceSilence">,
): boolean => !device.away && now - device.lastSeen <= limits.deviceSilence;

const roomOf = ({ roomMentions: mentions, roomLife }: DeviceRecord, groupId: number): DeviceView["room"] => ({
  groupId,
  mentions,
  ...(roomLife !== null && { life: roomLife }),
});

/** A device, as clients see it (interface 2.2). */
export const deviceView = (device: DeviceRecord, zone: Zone, online: boolean): DeviceView => ({
  deviceId: device.deviceId,
  name: device.name,
  online,
  lastSeen: zone.format(device.lastSeen),
  createdAt: zone.format(device.createdAt),
  ...(device.ai !== null && { ai: device.ai }),
  ...(device.roomId !== null && { room: roomOf(device, device.roomId) }),
  ...(device.tags.length > 0 && { tags: [...device.tags] }),
  ...(device.program !== null && { program: device.program }),
  ...(device.transport !== null && { transport: device.transport }),
  ...(device.can.length > 0 && { can: [...device.can] }),
  ...(device.fault !== null && { fault: { reason: device.fault, since: zone.format(device.faultAt ?? 0) } }),
});

type Extras = Omit<DeviceMessageView, "id" | "deviceId" | "direction" | "content" | "delivered" | "createdAt">;

const viaOf = (name: string | null): Pick<DeviceMessageView, "via"> =>
  name === null ? {} : { via: { kind: "mcp", name } };

/** The fields that clients of the interface do not know, for a text that has them. */
function extrasOf(message: DeviceMessageRecord, zone: Zone, delivered: 0 | 1, now: number): Extras | null {
  const { title, via, priority, expiresAt, ended } = message;
  if (title === null && priority === newText.priority && expiresAt === null && ended === null)
    return via === null ? null : viaOf(via);
  const isOver = expiresAt !== null && expiresAt <= now;
  return {
    ...viaOf(via),
    ...(title !== null && { title }),
    ...(priority !== newText.priority && { priority }),
    ...(expiresAt !== null && { expiresAt: zone.format(expiresAt) }),
    ...(expiresAt !== null && !isOver && { life: Math.ceil((expiresAt - now) / second) }),
    state: ended ?? (delivered === 1 ? "delivered" : isOver ? "expired" : "waiting"),
  };
}

/** A teleprinter message, as clients see it at `now` in Unix milliseconds (interface 2.3). */
export function deviceMessageView(
  message: DeviceMessageRecord,
  zone: Zone,
  now: number,
  delivered: 0 | 1 = message.delivered && message.ended === null ? 1 : 0,
): DeviceMessageView {
  const view = {
    id: message.id,
    deviceId: message.deviceId,
    direction: message.direction,
    content: message.content,
    delivered,
    createdAt: zone.format(message.createdAt),
  };
  const extras = extrasOf(message, zone, delivered, now);
  return extras === null ? view : { ...view, ...extras };
}

/** A text that is sent later, as clients see it. */
export const scheduleView = (schedule: DeviceScheduleRecord, zone: Zone): DeviceMessageView => {
  const { deviceId, id, content, createdAt, at, life, title, via, priority } = schedule;
  return {
    id,
    deviceId,
    direction: "to_device",
    content,
    delivered: 0,
    createdAt: zone.format(createdAt),
    ...viaOf(via),
    ...(title !== null && { title }),
    ...(priority !== newText.priority && { priority }),
    ...(life !== null && { expiresAt: zone.format(at + life), life: life / second }),
    dueAt: zone.format(at),
    state: "scheduled",
  };
};
