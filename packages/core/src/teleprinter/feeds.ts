import { createInTurn } from "@telex/ground/concurrency";
import type { DeviceConnection, FeedMode } from "./connection.ts";
import { createFeed, type DeviceFeed, type FeedDeps, type RunningFeed } from "./feed.ts";
import type { DeviceKey } from "./store.ts";

/** The feeds of this process, one for each connected device. */
export interface Feeds {
  /**
   * Feeds a connection. An older connection of the device that still answers stays, unless the new one takes over: the
   * new one is closed with `in_use`, and null is returned. One that does not answer is closed with `replaced`.
   */
  open(connection: DeviceConnection, key: DeviceKey, how: FeedMode): Promise<DeviceFeed | null>;
  wake(deviceId: string): void;
  /** Resolves with true when the message has been delivered over a feed; with false when it waits. Null without a connection. */
  reached(deviceId: string, id: number): Promise<boolean> | null;
  /** The device ID may have a new holder: the connection of another user is closed. */
  check(deviceId: string): Promise<void>;
}

/** Closes one of two connections of a device. True if the new one can stay. */
async function makePlace(
  { limits }: FeedDeps,
  old: RunningFeed,
  connection: DeviceConnection,
  { takesOver }: FeedMode,
): Promise<boolean> {
  const isAlive = !takesOver && (await old.connection.ping(limits.takeoverWait));
  if (isAlive) connection.close("in_use");
  else old.connection.close("replaced");
  return !isAlive;
}

export function createFeeds(deps: FeedDeps): Feeds {
  const feeds = new Map<string, RunningFeed>();
  // If two new connections come, the second one finds the first. A new one begins after the end of an old one, and gets the texts that it frees.
  const turns = createInTurn();
  const remove = (deviceId: string, feed: RunningFeed): Promise<void> => {
    if (feeds.get(deviceId) === feed) feeds.delete(deviceId);
    return feed.close();
  };
  const replace = async (connection: DeviceConnection, key: DeviceKey, how: FeedMode): Promise<DeviceFeed | null> => {
    const { deviceId } = key;
    const old = feeds.get(deviceId);
    if (old !== undefined) {
      if (!(await makePlace(deps, old, connection, how))) return null;
      await remove(deviceId, old);
    }
    const feed = createFeed(deps, connection, key, how);
    feeds.set(deviceId, feed);
    feed.pump();
    return {
      acknowledge: (ids, failed) => feed.acknowledge(ids, failed),
      close: () => turns.run(deviceId, () => remove(deviceId, feed)),
    };
  };
  return {
    open: (connection, key, how) => turns.run(key.deviceId, () => replace(connection, key, how)),
    wake: (deviceId) => feeds.get(deviceId)?.pump(),
    reached: (deviceId, id) => feeds.get(deviceId)?.reached(id) ?? null,
    async check(deviceId) {
      const feed = feeds.get(deviceId);
      if (feed === undefined) return;
      const device = await deps.store.findDevice(deviceId);
      if (device?.owner !== feed.connection.holder.userId) feed.connection.close("unregistered");
    },
  };
}
