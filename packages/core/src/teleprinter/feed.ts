import { LRUCache } from "lru-cache";
import type { BusLink } from "../bus/link.ts";
import { topics } from "../bus/topics.ts";
import { TelexError } from "../errors/errors.ts";
import type { Tally } from "../observe/figures.ts";
import type { TeleprinterLimits } from "./limits.ts";
import type { LiveConnection } from "../live/live.ts";
import type { TeleprinterLiveEvent } from "./live-events.ts";
import type { Logger } from "../log/log.ts";
import type { Clock } from "../time/clock.ts";
import type { Zone } from "../time/zone.ts";
import { createHold } from "./hold.ts";
import type { DeviceKey, TeleprinterStore } from "./store.ts";
import { deviceMessageView } from "./view.ts";

/** The open connection of a device, as a transport gives it to core. */
export interface DeviceConnection<E = TeleprinterLiveEvent> extends LiveConnection<E> {
  /** Like `write`; resolves with true when the socket has taken all of it, with false when it is gone. */
  push(events: readonly E[]): Promise<boolean>;
  /** Resolves with true when the other side answers a ping within `wait` milliseconds. */
  ping(wait: number): Promise<boolean>;
}

/** How a device connects. */
export interface DeviceConnect {
  readonly deviceId: string;
  /** True when the device acknowledges each message; else a message counts when the socket has taken it. */
  readonly ack: boolean;
}

/** Pushes the waiting messages of a device over its connection. */
export interface DeviceFeed {
  /** The device has this message for good: it will not be pushed again. Other ids are passed over. */
  acknowledge(id: number): Promise<void>;
  /** Ends the feed. What was not delivered is queued again in its old order. */
  close(): Promise<void>;
}

/** What the feeds of devices need. */
export interface FeedDeps {
  readonly store: TeleprinterStore;
  readonly clock: Clock;
  readonly zone: Zone;
  readonly limits: TeleprinterLimits;
  readonly log: Logger;
  readonly bus: Pick<BusLink<never>, "hasPeers" | "follow">;
  readonly tally: Pick<Tally, "toDevices">;
  /** Messages have reached their device. */
  readonly delivered: (key: DeviceKey, ids: readonly number[]) => void;
  /** Messages are free again: polls may take them. */
  readonly freed: (deviceId: string) => void;
  /** A call of the storage, or a push, failed: messages may be held until this moment, in Unix milliseconds. */
  readonly lookUntil: (deviceId: string, end: number) => void;
}

/** A feed as this process runs it. */
export interface RunningFeed extends DeviceFeed {
  readonly connection: DeviceConnection;
  /** Pushes what has come, as soon as what is being pushed is through. */
  pump(): void;
  /** Resolves with true when the message has been delivered over this feed; with false when it waits. */
  reached(id: number): Promise<boolean>;
}

/** Milliseconds until a storage that has failed is asked again. */
const retryAfter = 5000;

const isStorageAway = (cause: unknown): boolean =>
  TelexError.is(cause) && (cause.code === "storage_unavailable" || cause.code === "storage_full");

/** Tells senders when their messages have arrived. */
function createArrivals({ clock, limits }: FeedDeps) {
  const waiters = new Map<number, (reached: boolean) => void>();
  // A message may arrive before its sender begins to wait for that.
  const arrived = new LRUCache<number, true>({ max: limits.deviceWindow });
  return {
    note(id: number): void {
      arrived.set(id, true);
      waiters.get(id)?.(true);
    },
    wait(id: number): Promise<boolean> {
      if (arrived.has(id)) return Promise.resolve(true);
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const cancel = clock.after(limits.devicePushWait, () => resolve(false));
      waiters.set(id, resolve);
      return promise.finally(() => {
        cancel();
        waiters.delete(id);
      });
    },
    end(): void {
      for (const resolve of waiters.values()) resolve(false);
    },
  };
}

/** Runs `step` until it answers false, again whenever it is asked to, one run at a time. */
function createPump(step: () => Promise<boolean>, failed: (cause: unknown) => void) {
  let again = false;
  let running: Promise<void> | null = null;
  const run = async (): Promise<void> => {
    while (again) {
      again = false;
      while (await step());
    }
  };
  const pump = (): void => {
    again = true;
    running ??= run()
      .catch(failed)
      .finally(() => {
        running = null;
        // Somebody asked after the last look, and before this.
        if (again) pump();
      });
  };
  return {
    pump,
    /** Resolves when nothing runs. */
    idle: async (): Promise<void> => {
      await running;
    },
  };
}

/** Runs `step` at an interval, until the returned function is called. */
function repeat(clock: Clock, interval: number, step: () => void): () => void {
  let cancel = (): void => {};
  const plan = (): void => {
    cancel = clock.after(interval, () => {
      step();
      plan();
    });
  };
  plan();
  return () => cancel();
}

/** A feed over a connection. With `ack`, a message is delivered when the device says so. */
export function createFeed(deps: FeedDeps, connection: DeviceConnection, key: DeviceKey, ack: boolean): RunningFeed {
  const arrivals = createArrivals(deps);
  const { withoutRooms = false } = connection.holder;
  const hold = createHold(deps, { ...key, withoutRooms });
  let closed = false;
  const tell = (marked: readonly number[]): void => {
    for (const id of marked) arrivals.note(id);
    if (marked.length > 0) deps.delivered(key, marked);
  };
  const deliver = (ids: readonly number[]): Promise<void> => hold.deliver(ids, tell);
  const step = async (): Promise<boolean> => {
    if (!closed && hold.owes()) await deliver([]);
    const messages = closed ? [] : await hold.take();
    if (messages.length === 0) return false;
    const shown = messages.map((message) => deviceMessageView(message, deps.zone, ack ? 0 : 1));
    const written = await connection.push(shown.map((data) => ({ kind: "device_message", data })));
    if (written) deps.tally.toDevices += messages.length;
    if (written && !ack) await deliver(messages.map(({ id }) => id));
    return written;
  };
  let endPause = (): void => {};
  const lookAfterLease = (): void => deps.lookUntil(key.deviceId, deps.clock.now() + deps.limits.deviceLease);
  const pusher = createPump(step, (cause) => {
    lookAfterLease();
    deps.log.error("device.push_failed", { deviceId: key.deviceId }, cause);
    if (closed) return;
    endPause();
    // What was written and could not be marked is freed when the connection closes, and comes again when the device does.
    if (isStorageAway(cause) && (ack || hold.isEmpty())) endPause = deps.clock.after(retryAfter, () => pusher.pump());
    else connection.close("too_slow");
  });
  const following = deps.bus.follow(topics.device(key.deviceId));
  // What came while the bus did not tell yet.
  if (deps.bus.hasPeers) void following.ready.then(() => pusher.pump());
  const endLease = repeat(deps.clock, deps.limits.deviceLease / 3, () => {
    hold.renew().catch((cause: unknown) => deps.log.error("device.renew_failed", { deviceId: key.deviceId }, cause));
    // What another server has freed, or has told over a bus that lost it.
    if (deps.bus.hasPeers) pusher.pump();
  });
  return {
    connection,
    pump: () => pusher.pump(),
    reached: (id) => (closed || ack ? Promise.resolve(false) : arrivals.wait(id)),
    async acknowledge(id) {
      if (!hold.has(id)) return;
      // What fails is tried again by the pump: the device does not repeat what it has said.
      await deliver([id]).finally(() => pusher.pump());
    },
    async close() {
      if (closed) return;
      closed = true;
      endPause();
      endLease();
      following.end();
      arrivals.end();
      await pusher.idle();
      await hold.free().catch((cause: unknown) => {
        lookAfterLease();
        throw cause;
      });
      deps.freed(key.deviceId);
    },
  };
}
