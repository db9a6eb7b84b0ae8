import { createFeed, type DeviceConnection, type DeviceFeed, type FeedDeps, type RunningFeed } from "./feed.ts";
import type { DeviceKey } from "./store.ts";

/** The feeds of this process, one for each connected device. */
export interface Feeds {
  /**
   * Feeds a connection. An older connection of the device that still answers keeps its place: the new one is closed with
   * `in_use`, and null is answered; one that does not is closed with `replaced`.
   */
  open(connection: DeviceConnection, key: DeviceKey, ack: boolean): Promise<DeviceFeed | null>;
  /** Something has come for the device: push it. */
  wake(deviceId: string): void;
  /** Resolves with true when the message has been delivered over a feed; with false when it waits. */
  reached(deviceId: string, id: number): Promise<boolean>;
  /** Somebody may hold the device ID who did not before: the connection of another is closed. */
  check(deviceId: string): Promise<void>;
}

/** Nothing is connected yet. */
export function createFeeds(deps: FeedDeps): Feeds {
  const feeds = new Map<string, RunningFeed>();
  const opening = new Map<string, Promise<unknown>>();

  const remove = (deviceId: string, feed: RunningFeed): Promise<void> => {
    if (feeds.get(deviceId) === feed) feeds.delete(deviceId);
    return feed.close();
  };
  const replace = async (connection: DeviceConnection, key: DeviceKey, ack: boolean): Promise<DeviceFeed | null> => {
    const { deviceId } = key;
    const old = feeds.get(deviceId);
    if (old !== undefined) {
      if (await old.connection.ping(deps.limits.takeoverWait)) {
        connection.close("in_use");
        return null;
      }
      old.connection.close("replaced");
      await remove(deviceId, old);
    }
    const feed = createFeed(deps, connection, key, ack);
    feeds.set(deviceId, feed);
    feed.pump();
    return { acknowledge: (id) => feed.acknowledge(id), close: () => remove(deviceId, feed) };
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
    wake: (deviceId) => feeds.get(deviceId)?.pump(),
    reached: (deviceId, id) => feeds.get(deviceId)?.reached(id) ?? Promise.resolve(false),
    async check(deviceId) {
      const feed = feeds.get(deviceId);
      if (feed === undefined) return;
      const device = await deps.store.findDevice(deviceId);
      if (device?.owner !== feed.connection.holder.userId) feed.connection.close("unregistered");
    },
  };
}
