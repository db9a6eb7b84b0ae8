import type { createCapabilities } from "./capabilities.ts";
import type { CompleteOptions } from "../options/options.ts";
import type { Shared } from "./shared.ts";
import { startWatch } from "../storage/watch.ts";

/** Takes what other processes change to the caches and connections of this one. The returned function ends it. */
export function watchChanges(
  { storage, clock, limits, log }: CompleteOptions,
  { users, rooms, live, bus, endToken, endEarlier }: Shared,
  { teleprinter, messages }: Pick<ReturnType<typeof createCapabilities>, "teleprinter" | "messages">,
): Promise<() => void> {
  const { feeds, presence } = teleprinter;
  let lastCheck = clock.now();
  const checkRooms = (now: number): void => {
    if (!bus.hasPeers || now - lastCheck < limits.lostMessageCheck) return;
    lastCheck = now;
    messages.check().catch((cause: unknown) => log.error("messages.check_failed", {}, cause));
  };
  const checkDevice = async (deviceId: string): Promise<void> => {
    await endEarlier(deviceId);
    await feeds.check(deviceId);
  };
  return startWatch({
    feed: storage.changes,
    clock,
    interval: limits.watchInterval,
    log,
    changed({ kind, key }) {
      if (kind === "user") users.forget(Number(key));
      if (kind === "members") rooms.forget(Number(key));
      if (kind === "device") {
        checkDevice(key).catch((cause: unknown) => log.error("device.check_failed", {}, cause));
      }
      if (kind === "token") endToken(Number(key));
    },
    tick() {
      live.endExpired(clock.now());
      presence.sweep();
      checkRooms(clock.now());
    },
  });
}
