import { createInTurn } from "@telex/ground/concurrency";
import type { Clock } from "@telex/ground/time";
import type { TeleprinterLimits } from "../limits.ts";
import type { Presence } from "./presence.ts";
import { refusal } from "../refusal.ts";
import type { DeviceKey, TeleprinterStore } from "../store.ts";

/** The signs of life of a device over a connection whose end takes the device offline. */
export interface DeviceAttendance {
  /**
   * Stores a sign of life.
   * @throws TelexError `device_not_found`, `not_owner`
   */
  alive(): Promise<void>;
  /** Makes a call over this connection that is a sign of life itself, such as `sync`. It begins in this tick. */
  during<T>(call: () => Promise<T>): Promise<T>;
  /**
   * Ends the attendance. The device is offline then, unless another such connection of it is open on this server, or it gave a sign of
   * life in another way within `deviceSilence`. Never rejects for a device that is gone.
   */
  end(): Promise<void>;
}

interface AttendanceDeps {
  readonly store: Pick<TeleprinterStore, "findDevice" | "amendDevice" | "touchDevice" | "leaveDevice">;
  readonly clock: Clock;
  readonly limits: Pick<TeleprinterLimits, "deviceSilence">;
  readonly presence: Pick<Presence, "note">;
}

/** Moments in Unix milliseconds. */
interface Heard {
  connections: number;
  /** The last sign of life over such connections. */
  own: number;
  /** The last sign of life in another way. */
  other: number;
}

/** Only the storage knows signs of life that other servers got: `lastSeen` is one of them if it is later than the own signs. */
async function look({ store }: AttendanceDeps, deviceId: string, heard: Heard): Promise<void> {
  const { own } = heard;
  const device = await store.findDevice(deviceId);
  if (device !== null && !device.away && device.lastSeen > own) heard.other = Math.max(heard.other, device.lastSeen);
}

async function noteTransport(
  { store }: AttendanceDeps,
  { deviceId, owner }: DeviceKey,
  transport: string,
): Promise<void> {
  const device = await store.findDevice(deviceId);
  if (device?.owner === owner && device.transport !== transport)
    await store.amendDevice({ deviceId, owner, change: { transport } });
}

async function sign(deps: AttendanceDeps, { deviceId, owner }: DeviceKey, heard: Heard): Promise<void> {
  await look(deps, deviceId, heard);
  const touched = await deps.store.touchDevice({ deviceId, owner, now: deps.clock.now() });
  if (touched.outcome !== "touched") throw refusal(touched, deviceId);
  heard.own = Math.max(heard.own, touched.device.lastSeen);
  deps.presence.note(touched.device);
}

async function leave(deps: AttendanceDeps, key: DeviceKey, heard: Heard): Promise<void> {
  await look(deps, key.deviceId, heard);
  if (deps.clock.now() - heard.other <= deps.limits.deviceSilence) return;
  const left = await deps.store.leaveDevice(key);
  if (left.outcome === "left") deps.presence.note(left.device, true);
}

/** The attended devices of this server. */
export function createAttendances(deps: AttendanceDeps) {
  const attended = new Map<string, Heard>();
  const turns = createInTurn();
  const enter = async (key: DeviceKey): Promise<Heard> => {
    const before = Number.NEGATIVE_INFINITY;
    const heard = attended.get(key.deviceId) ?? { connections: 0, own: before, other: before };
    await sign(deps, key, heard);
    heard.connections += 1;
    attended.set(key.deviceId, heard);
    return heard;
  };
  const exit = async (key: DeviceKey, heard: Heard): Promise<void> => {
    heard.connections -= 1;
    if (heard.connections > 0) return;
    attended.delete(key.deviceId);
    await leave(deps, key, heard);
  };
  return {
    /**
     * A sign of life, and the beginning of an attendance over `transport`, which the page of the device shows.
     * @throws TelexError `device_not_found`, `not_owner`
     */
    async begin(key: DeviceKey, transport: string | undefined): Promise<DeviceAttendance> {
      if (transport !== undefined) await noteTransport(deps, key, transport);
      const heard = await turns.run(key.deviceId, () => enter(key));
      return {
        alive: () => turns.run(key.deviceId, () => sign(deps, key, heard)),
        async during(call) {
          // Not awaited, because calls must begin in their order. If it fails, another way to live is missed.
          look(deps, key.deviceId, heard).catch(() => undefined);
          const result = await call();
          heard.own = Math.max(heard.own, deps.clock.now());
          return result;
        },
        end: () => turns.run(key.deviceId, () => exit(key, heard)),
      };
    },
  };
}
