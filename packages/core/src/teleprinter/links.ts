import { createLine, type DeviceConnection, type DeviceLink, type Line, type LinkDependencies } from "./line.ts";
import type { DeviceKey } from "./store.ts";

/** The device connections of this process, one for each device. */
export interface Links {
  /**
   * Links a connection. An older connection of the device that still answers keeps its place: the new one is closed with
   * `in_use`, and null is answered; one that does not is closed with `replaced`.
   */
  open(connection: DeviceConnection, key: DeviceKey, ack: boolean): Promise<DeviceLink | null>;
  /** Something has come for the device: push it. */
  wake(deviceId: string): void;
  /** Resolves with true when the message has been delivered over a link; with false when it waits. */
  reached(deviceId: string, id: number): Promise<boolean>;
  /** Somebody may hold the device ID who did not before: the connection of another is closed. */
  check(deviceId: string): Promise<void>;
}

/** Nothing is connected yet. */
export function createLinks(deps: LinkDependencies): Links {
  const lines = new Map<string, Line>();
  const opening = new Map<string, Promise<unknown>>();

  const remove = (deviceId: string, line: Line): Promise<void> => {
    if (lines.get(deviceId) === line) lines.delete(deviceId);
    return line.close();
  };
  const replace = async (connection: DeviceConnection, key: DeviceKey, ack: boolean): Promise<DeviceLink | null> => {
    const { deviceId } = key;
    const old = lines.get(deviceId);
    if (old !== undefined) {
      if (await old.connection.ping(deps.limits.takeoverWait)) {
        connection.close("in_use");
        return null;
      }
      old.connection.close("replaced");
      await remove(deviceId, old);
    }
    const line = createLine(deps, connection, key, ack);
    lines.set(deviceId, line);
    line.pump();
    return { acknowledge: (id) => line.acknowledge(id), close: () => remove(deviceId, line) };
  };
  return {
    open(connection, key, ack) {
      // One after another, so that of two new connections at once the second meets the first.
      const before = opening.get(key.deviceId) ?? Promise.resolve();
      const opened = before.then(() => replace(connection, key, ack));
      const settled = opened
        .catch(() => {})
        .finally(() => {
          if (opening.get(key.deviceId) === settled) opening.delete(key.deviceId);
        });
      opening.set(key.deviceId, settled);
      return opened;
    },
    wake: (deviceId) => lines.get(deviceId)?.pump(),
    reached: (deviceId, id) => lines.get(deviceId)?.reached(id) ?? Promise.resolve(false),
    async check(deviceId) {
      const line = lines.get(deviceId);
      if (line === undefined) return;
      const device = await deps.store.findDevice(deviceId);
      if (device?.owner !== line.connection.holder.userId) line.connection.close("unregistered");
    },
  };
}
