import type { Limits } from "../options/limits.ts";
import type { Logger } from "../log/log.ts";
import type { Clock } from "../time/clock.ts";
import type { DeviceRecord, TeleprinterStore } from "./store.ts";
import { isOnline } from "./view.ts";

/** What presence needs. */
export interface PresenceDependencies {
  readonly store: Pick<TeleprinterStore, "findDevice">;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly log: Logger;
  /** Called at every change from online to offline or back. `isOwn` is false for what another server has noticed, too. */
  readonly announce: (device: DeviceRecord, isOwn: boolean) => void;
}

/** Notices when devices come and go. Truth is the store's `lastSeen`; this only remembers what was announced. */
export interface Presence {
  /** The device gave a sign of life, or went away: announces it if that is a change, or when `always`. */
  note(device: DeviceRecord, always?: boolean): void;
  /** Another server has noticed that a device came, went or was changed. What is older than what is known is ignored. */
  hear(device: DeviceRecord): void;
  /** Remembers a device that a watcher has just been shown, so that its going is announced. */
  expect(device: DeviceRecord): void;
  forget(deviceId: string): void;
  /** Announces the devices that have been silent for too long. */
  sweep(): void;
}

/** No device has been seen yet. */
export function createPresence({ store, clock, limits, log, announce }: PresenceDependencies): Presence {
  // In the order of the last sign of life, for every device is silent for the same time.
  const online = new Map<string, DeviceRecord>();
  // Those of `online` that give their signs of life to another server.
  const elsewhere = new Set<string>();
  const keep = (device: DeviceRecord): void => {
    online.delete(device.deviceId);
    online.set(device.deviceId, device);
  };
  const note = (device: DeviceRecord, always = false): void => {
    const before = online.has(device.deviceId);
    const now = isOnline(device, clock.now(), limits);
    elsewhere.delete(device.deviceId);
    if (now) keep(device);
    else online.delete(device.deviceId);
    if (always || before !== now) announce(device, true);
  };
  const hear = (device: DeviceRecord): void => {
    const { deviceId, lastSeen } = device;
    if (lastSeen < (online.get(deviceId)?.lastSeen ?? 0)) return;
    if (isOnline(device, clock.now(), limits)) {
      keep(device);
      elsewhere.add(deviceId);
    } else forget(deviceId);
    announce(device, false);
  };
  const forget = (deviceId: string): void => {
    online.delete(deviceId);
    elsewhere.delete(deviceId);
  };
  const check = async ({ deviceId }: DeviceRecord, isOwn: boolean): Promise<void> => {
    const device = await store.findDevice(deviceId);
    // Another instance may have heard from it meanwhile.
    if (device === null) return;
    if (isOnline(device, clock.now(), limits)) {
      keep(device);
      if (!isOwn) elsewhere.add(deviceId);
    } else if (!online.has(deviceId)) announce(device, isOwn);
  };
  return {
    note,
    hear,
    expect(device) {
      if (!online.has(device.deviceId) && isOnline(device, clock.now(), limits)) keep(device);
    },
    forget,
    sweep() {
      const now = clock.now();
      for (const device of online.values()) {
        if (isOnline(device, now, limits)) break;
        const isOwn = !elsewhere.has(device.deviceId);
        forget(device.deviceId);
        check(device, isOwn).catch((cause: unknown) => log.error("presence.check_failed", {}, cause));
      }
    },
  };
}
