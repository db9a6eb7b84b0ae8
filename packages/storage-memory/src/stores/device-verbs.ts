import type { Devices } from "./devices.ts";
import { type DeviceClaimed, type DeviceRecord, newDevice, type TeleprinterStore } from "@telex/core/storage";
import type { Report } from "./changes.ts";
import { seen } from "./device.ts";
import type { Verb } from "../engine/gate.ts";

export type DeviceVerbs =
  | "claimDevice"
  | "pairDevice"
  | "findGeneration"
  | "countQueued"
  | "amendDevice"
  | "touchDevice"
  | "leaveDevice"
  | "findDevice"
  | "listDevices"
  | "listPrinters"
  | "releaseDevice";

const byLastSeen = (a: DeviceRecord, b: DeviceRecord): number =>
  b.lastSeen - a.lastSeen || (a.deviceId < b.deviceId ? -1 : 1);

type Claim = Parameters<TeleprinterStore["claimDevice"]>[0];

/** The fields that a claim changes, except the name. */
const settingOf = ({ ai, room, tags }: Claim) => ({
  ...(tags !== undefined && { tags: [...tags] }),
  ...(ai !== undefined && { ai }),
  ...(room !== undefined && {
    roomId: room?.groupId ?? null,
    roomMentions: room?.mentions ?? false,
    roomLife: room?.life ?? null,
  }),
});

function claimDevice(devices: Devices, report: Report, claim: Claim): DeviceClaimed {
  const { deviceId, owner, name, now, deviceLimit = Number.POSITIVE_INFINITY } = claim;
  const setting = settingOf(claim);
  const device = devices.find(deviceId);
  if (device === undefined) {
    if (devices.listOf(owner).length >= deviceLimit) return { outcome: "full" };
    report("device", deviceId);
    const born = { deviceId, name, owner, createdAt: now, lastSeen: now, away: false };
    const record = devices.add({ ...newDevice, ...born, ...setting });
    return { outcome: "claimed", device: record };
  }
  if (device.record.owner !== owner) return { outcome: "taken" };
  device.record = { ...seen(device, now), name, ...setting };
  return { outcome: "renewed", device: device.record };
}

function raiseGeneration({ generations }: Devices, report: Report, deviceId: string): void {
  generations.set(deviceId, (generations.get(deviceId) ?? 0) + 1);
  report("device", deviceId);
}

export const deviceVerbs = (verb: Verb, devices: Devices, report: Report): Pick<TeleprinterStore, DeviceVerbs> => ({
  claimDevice: verb((claim) => claimDevice(devices, report, claim)),
  pairDevice: verb((claim) => {
    const name = devices.find(claim.deviceId)?.record.name ?? claim.name;
    const claimed = claimDevice(devices, report, { ...claim, name });
    if ("device" in claimed) raiseGeneration(devices, report, claim.deviceId);
    return claimed;
  }),
  countQueued: verb(() => Iterator.from(devices.all()).reduce((total, { queue }) => total + queue.size, 0)),
  findGeneration: verb((deviceId) => devices.generations.get(deviceId) ?? 0),
  amendDevice: verb(({ change, ...key }) =>
    devices.guarded(key, (device) => {
      device.record = { ...device.record, ...structuredClone(change) };
      return { outcome: "amended", device: device.record };
    }),
  ),
  touchDevice: verb((touch) =>
    devices.guarded(touch, (device) => ({ outcome: "touched", device: seen(device, touch.now) })),
  ),
  leaveDevice: verb((key) =>
    devices.guarded(key, (device) => {
      device.record = { ...device.record, away: true };
      return { outcome: "left", device: device.record };
    }),
  ),
  findDevice: verb((deviceId) => devices.find(deviceId)?.record ?? null),
  listDevices: verb((owner) => devices.listOf(owner).toSorted(byLastSeen)),
  listPrinters: verb((groupId) =>
    Array.from(devices.all(), ({ record }) => record)
      .filter(({ roomId }) => roomId === groupId)
      .toSorted((a, b) => (a.deviceId < b.deviceId ? -1 : 1)),
  ),
  releaseDevice: verb((key) =>
    devices.guarded(key, () => {
      devices.remove(key);
      raiseGeneration(devices, report, key.deviceId);
      return { outcome: "released" };
    }),
  ),
});
