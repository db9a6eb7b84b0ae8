import type { Direction } from "@telex/core/storage";
import type { Counter } from "../engine/counters.ts";
import { type Device, nonceKey, putMessage } from "./device.ts";
import type { Tables } from "../engine/tables.ts";
import type { Devices } from "./devices.ts";

const directionOf = (fromDevice: boolean): Direction => (fromDevice ? "from_device" : "to_device");

function deviceOf(devices: Devices, deviceId: string): Device {
  const device = devices.find(deviceId);
  if (device === undefined) throw new Error(`A record names device ${deviceId}, which does not exist.`);
  return device;
}

function* noncesOf({ record: { deviceId }, nonces }: Device) {
  for (const [key, { at, value: id }] of nonces.all()) {
    const fromDevice = key.startsWith(nonceKey("from_device", ""));
    yield { deviceId, fromDevice, nonce: key.slice(nonceKey(directionOf(fromDevice), "").length), id, at };
  }
}

/** Devices and their texts as records. */
export const tablesOf = (
  devices: Devices,
  counter: Counter,
): Tables<"devices" | "deviceGenerations" | "deviceMessages" | "deviceNonces" | "deviceSchedules"> => ({
  devices: {
    all: () => Iterator.from(devices.all()).map(({ record }) => record),
    put(record) {
      const device = devices.find(record.deviceId);
      if (device === undefined) devices.add({ ...record });
      else device.record = { ...record };
    },
  },
  deviceGenerations: {
    all: () => Iterator.from(devices.generations).map(([deviceId, generation]) => ({ deviceId, generation })),
    put: ({ deviceId, generation }) => void devices.generations.set(deviceId, generation),
  },
  deviceMessages: {
    *all() {
      for (const { messages } of devices.all()) yield* messages;
    },
    put(message) {
      counter.raise(message.id);
      putMessage(deviceOf(devices, message.deviceId), { ...message });
    },
  },
  deviceSchedules: {
    *all() {
      for (const { schedules } of devices.all()) yield* schedules.values();
    },
    put: (schedule) => void deviceOf(devices, schedule.deviceId).schedules.set(schedule.id, { ...schedule }),
  },
  deviceNonces: {
    *all() {
      for (const device of devices.all()) yield* noncesOf(device);
    },
    put({ deviceId, fromDevice, nonce, id, at }) {
      deviceOf(devices, deviceId).nonces.put(nonceKey(directionOf(fromDevice), nonce), at, id);
    },
  },
});
