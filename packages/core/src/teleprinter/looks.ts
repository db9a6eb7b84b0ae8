import type { Clock } from "@telex/ground/time";
import type { TeleprinterLimits } from "./limits.ts";

interface LooksDeps {
  readonly clock: Clock;
  readonly limits: TeleprinterLimits;
  /** Makes feeds and polls of a device ask the storage again. */
  readonly look: (deviceId: string) => void;
}

/**
 * Asks again for devices for which the storage failed: messages may be held in an unknown name, or could not be put back. No event
 * says when they are free, so it asks now and then until the last of these holds has ended, at a moment in Unix milliseconds.
 */
export function createLooks({ clock, limits, look }: LooksDeps) {
  const ends = new Map<string, number>();
  const plan = (deviceId: string): void => {
    clock.after(limits.deviceLease / 3, () => {
      // One look comes after the end: the clock of a storage may be behind.
      if (clock.now() > (ends.get(deviceId) ?? 0)) ends.delete(deviceId);
      else plan(deviceId);
      look(deviceId);
    });
  };
  return (deviceId: string, end: number): void => {
    const before = ends.get(deviceId);
    ends.set(deviceId, Math.max(before ?? 0, end));
    if (before === undefined) plan(deviceId);
  };
}
