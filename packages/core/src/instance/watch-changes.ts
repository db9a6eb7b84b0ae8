import type { createCapabilities } from "./capabilities.ts";
import type { CompleteOptions } from "./options/options.ts";
import type { Shared } from "./shared.ts";
import type { Change } from "../storage/changes.ts";
import { startWatch } from "../storage/watch.ts";

type Watching = Pick<ReturnType<typeof createCapabilities>, "teleprinter" | "messages" | "rooms" | "gateways">;

/** Looks for messages that the bus has lost, at an interval. */
function createRoomCheck({ clock, limits, log }: CompleteOptions, { bus }: Shared, { messages }: Watching) {
  let lastCheck = clock.now();
  return (now: number): void => {
    if (!bus.hasPeers || now - lastCheck < limits.lostMessageCheck) return;
    lastCheck = now;
    messages.check().catch((cause: unknown) => log.error("messages.check_failed", {}, cause));
  };
}

function createChanged({ log }: CompleteOptions, shared: Shared, { teleprinter, messages, rooms, gateways }: Watching) {
  const applying = new Set<Promise<unknown>>();
  /** Logs the failure of work. */
  const watch = (event: string, work: Promise<unknown>): void => {
    const done: Promise<unknown> = work
      .catch((cause: unknown) => log.error(event, {}, cause))
      .finally(() => applying.delete(done));
    applying.add(done);
  };
  const checkDevice = async (deviceId: string): Promise<void> => {
    await shared.endEarlier(deviceId);
    await teleprinter.feeds.check(deviceId);
  };
  const userChanged = (userId: number): void => {
    watch("user.check_failed", shared.userChanged(userId));
    shared.events.emit("user.changed", { userId });
  };
  const membersChanged = (groupId: number): void => {
    shared.rooms.forget(groupId);
    shared.events.emit("room.changed", { groupId });
    watch("rooms.change_failed", rooms.news.changed(groupId));
    watch("messages.follow_failed", messages.membersChanged(groupId));
  };
  const apply = ({ kind, key }: Change): void => {
    if (kind === "user") userChanged(Number(key));
    if (kind === "members") membersChanged(Number(key));
    if (kind === "device") watch("device.check_failed", checkDevice(key));
    if (kind === "marker") watch("rooms.marker_failed", rooms.markerMoved(key));
    if (kind === "recall") watch("messages.recall_failed", messages.recalled(key));
    if (kind === "amended") watch("messages.amend_failed", messages.amended(key));
    if (kind === "bot") watch("bots.refresh_failed", gateways.botsChanged());
    if (kind === "lease") {
      shared.leases.changed(key);
      gateways.leaseChanged(key);
    }
    if (kind === "token") shared.endToken(Number(key));
    // The holder of an access token names its grant instead of a session.
    if (kind === "session" || kind === "grant") shared.live.endSession(key);
  };
  return { apply, applied: async () => await Promise.all(applying) };
}

/**
 * Changes were missed, because this process slept or the storage was away for more than an hour: its caches are not trusted
 * any more. Each connection is closed. When its client connects again, its token is looked up.
 */
function forgetEverything({ users, rooms, verifier, live }: Shared): void {
  verifier.forgetAll();
  users.clear();
  rooms.forgetAll();
  live.restoreUsers();
  live.closeAll("stopping");
}

/** Applies the changes of other processes to the caches and connections of this one. The returned function ends that. */
export async function watchChanges(options: CompleteOptions, shared: Shared, watching: Watching): Promise<() => void> {
  const { storage, clock, limits, log } = options;
  const changes = createChanged(options, shared, watching);
  const checkRooms = createRoomCheck(options, shared, watching);
  const watch = await startWatch({
    feed: storage.changes,
    clock,
    interval: limits.watchInterval,
    log,
    changed: changes.apply,
    missed() {
      forgetEverything(shared);
      changes.apply({ seq: 0, kind: "bot", key: "" });
    },
    tick() {
      shared.live.endExpired(clock.now());
      shared.suspensions.tick();
      watching.teleprinter.presence.sweep();
      watching.teleprinter.sendDue();
      shared.roomPresence.tick();
      checkRooms(clock.now());
      shared.bus.tick();
    },
  });
  shared.catchUp.offer(async () => {
    const isRead = await watch.look();
    await changes.applied();
    return isRead;
  });
  return watch.end;
}
