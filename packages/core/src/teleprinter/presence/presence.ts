import type { Logger } from "@telex/ground/log";
import type { Clock } from "@telex/ground/time";
import type { TeleprinterLimits } from "../limits.ts";
import type { TeleprinterStore } from "../store.ts";
import type { DeviceRecord } from "../../records/teleprinter.ts";
import { isOnline } from "../view.ts";

interface PresenceDeps {
  readonly store: Pick<TeleprinterStore, "findDevice">;
  readonly clock: Clock;
  readonly limits: TeleprinterLimits;
  readonly log: Logger;
  /** Called at every change from online to offline or back. `isOwn` is false for changes that another server has noticed. */
  readonly announce: (device: DeviceRecord, isOwn: boolean) => void;
}

/** Notices when devices come and go. The store's `lastSeen` decides; this only remembers what was announced. */
export interface Presence {
  /** The device gave a sign of life, or went away: announces it if that is a change, or when `always`. */
  note(device: DeviceRecord, always?: boolean): void;
  /** Call it when another server has noticed that a device came, went or was changed. Old news is ignored. */
  hear(device: DeviceRecord): void;
  /** Remembers a device that was just shown to a watcher, so that its departure is announced. */
  expect(device: DeviceRecord): void;
  forget(deviceId: string): void;
  /** Announces the devices that have been silent for too long. */
  sweep(): void;
}

interface Online {
  readonly devices: Map<string, DeviceRecord>;
  /** The devices that send their signs of life to another server. */
  readonly elsewhere: Set<string>;
}

/** Each sign of life is one value in a map: moving it to the end would leave garbage that is collected late (decision record 0015). */
function keep({ devices }: Online, device: DeviceRecord): void {
  devices.set(device.deviceId, device);
}

function forget({ devices, elsewhere }: Online, deviceId: string): void {
  devices.delete(deviceId);
  elsewhere.delete(deviceId);
}

const isOnlineNow = ({ clock, limits }: PresenceDeps, device: DeviceRecord): boolean =>
  isOnline(device, clock.now(), limits);

function note(deps: PresenceDeps, online: Online, device: DeviceRecord, always: boolean): void {
  const before = online.devices.has(device.deviceId);
  const now = isOnlineNow(deps, device);
  if (now) {
    keep(online, device);
    online.elsewhere.delete(device.deviceId);
  } else forget(online, device.deviceId);
  if (always || before !== now) deps.announce(device, true);
}

function hear(deps: PresenceDeps, online: Online, device: DeviceRecord): void {
  const { deviceId, lastSeen } = device;
  if (lastSeen < (online.devices.get(deviceId)?.lastSeen ?? 0)) return;
  if (isOnlineNow(deps, device)) {
    keep(online, device);
    online.elsewhere.add(deviceId);
  } else forget(online, deviceId);
  deps.announce(device, false);
}

/** Checks that a device is really silent: another instance may have heard from it. */
async function check(deps: PresenceDeps, online: Online, deviceId: string, isOwn: boolean): Promise<void> {
  const device = await deps.store.findDevice(deviceId);
  if (device === null) return;
  if (isOnlineNow(deps, device)) {
    keep(online, device);
    if (!isOwn) online.elsewhere.add(deviceId);
  } else if (!online.devices.has(deviceId)) deps.announce(device, isOwn);
}

function sweep(deps: PresenceDeps, online: Online): void {
  for (const device of online.devices.values()) {
    if (isOnlineNow(deps, device)) continue;
    const { deviceId } = device;
    const isOwn = !online.elsewhere.has(deviceId);
    forget(online, deviceId);
    check(deps, online, deviceId, isOwn).catch((cause: unknown) => deps.log.error("presence.check_failed", {}, cause));
  }
}

export function createPresence(deps: PresenceDeps): Presence {
  const online: Online = { devices: new Map(), elsewhere: new Set() };
  return {
    note: (device, always = false) => note(deps, online, device, always),
    hear: (device) => hear(deps, online, device),
    expect(device) {
      if (!online.devices.has(device.deviceId) && isOnlineNow(deps, device)) keep(online, device);
    },
    forget: (deviceId) => forget(online, deviceId),
    sweep: () => sweep(deps, online),
  };
}
