import type { Zone } from "@telex/ground/time";
import type { TeleprinterLimits } from "./limits.ts";
import type { DeviceMessageView, DeviceView } from "./contract.ts";
import type { DeviceMessageRecord, DeviceRecord } from "../records/teleprinter.ts";

/** True while a device counts as online at `now` (Unix milliseconds; interface 3.1). */
export const isOnline = (
  device: DeviceRecord,
  now: number,
  limits: Pick<TeleprinterLimits, "deviceSilence">,
): boolean => !device.away && now - device.lastSeen <= limits.deviceSilence;

/** A device, as clients see it (interface 2.2). */
export const deviceView = (device: DeviceRecord, zone: Zone, online: boolean): DeviceView => ({
  deviceId: device.deviceId,
  name: device.name,
  online,
  lastSeen: zone.format(device.lastSeen),
  createdAt: zone.format(device.createdAt),
  ...(device.ai !== null && { ai: device.ai }),
  ...(device.roomId !== null && { room: { groupId: device.roomId, mentions: device.roomMentions } }),
  ...(device.tags.length > 0 && { tags: [...device.tags] }),
  ...(device.program !== null && { program: device.program }),
  ...(device.transport !== null && { transport: device.transport }),
  ...(device.can.length > 0 && { can: [...device.can] }),
  ...(device.fault !== null && { fault: { reason: device.fault, since: zone.format(device.faultAt ?? 0) } }),
});

/** A teleprinter message, as clients see it (interface 2.3). */
export const deviceMessageView = (message: DeviceMessageRecord, zone: Zone, delivered: 0 | 1): DeviceMessageView => ({
  id: message.id,
  deviceId: message.deviceId,
  direction: message.direction,
  content: message.content,
  delivered,
  createdAt: zone.format(message.createdAt),
});
