import { createNonces } from "../engine/nonces.ts";
import type { Device } from "./device.ts";
import type { DeviceKey, DeviceRecord, DeviceRefusal } from "@telex/core/storage";

/** All devices, by their IDs and by their owners. */
export interface Devices {
  readonly all: () => Iterable<Device>;
  readonly find: (deviceId: string) => Device | undefined;
  readonly listOf: (owner: number) => DeviceRecord[];
  readonly add: (record: DeviceRecord) => DeviceRecord;
  readonly remove: (key: DeviceKey) => void;
  /** The generation of each ID. It outlives the device. */
  readonly generations: Map<string, number>;
  /** Runs a step on a device that the caller owns. */
  readonly guarded: <Result>(key: DeviceKey, step: (device: Device) => Result) => Result | DeviceRefusal;
}

export function createDevices(): Devices {
  const devices = new Map<string, Device>();
  const owned = new Map<number, Set<string>>();
  return {
    generations: new Map(),
    all: () => devices.values(),
    find: (deviceId) => devices.get(deviceId),
    listOf: (owner) => Array.from(owned.get(owner) ?? []).flatMap((deviceId) => devices.get(deviceId)?.record ?? []),
    add(record) {
      devices.set(record.deviceId, {
        record,
        messages: [],
        queue: new Set(),
        lease: null,
        nonces: createNonces(),
        schedules: new Map(),
      });
      const ids = owned.get(record.owner) ?? new Set<string>();
      owned.set(record.owner, ids.add(record.deviceId));
      return record;
    },
    remove({ deviceId, owner }) {
      devices.delete(deviceId);
      owned.get(owner)?.delete(deviceId);
    },
    guarded({ deviceId, owner }, step) {
      const device = devices.get(deviceId);
      if (device === undefined) return { outcome: "missing" };
      return device.record.owner === owner ? step(device) : { outcome: "not_owner" };
    },
  };
}
