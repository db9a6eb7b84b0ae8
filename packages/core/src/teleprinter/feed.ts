import { createLru } from "@telex/ground/caches";
import { TelexError } from "@telex/ground/errors";
import type { Logger } from "@telex/ground/log";
import { repeat, type Clock, type Zone } from "@telex/ground/time";
import { type BusLink, topics } from "@telex/ground/bus";
import type { Tally } from "../observe/figures.ts";
import type { TeleprinterLimits } from "./limits.ts";
import type { DeviceConnection, FeedMode } from "./connection.ts";
import { createBatch } from "./batch.ts";
import type { Holders, HolderState } from "./holders.ts";
import { type Pushing, pushNext } from "./push.ts";
import type { DeviceKey, TeleprinterStore } from "./store.ts";

/** Pushes the waiting messages of a device over its connection. */
export interface DeviceFeed {
  /**
   * Marks messages as acknowledged, or with `failed` as given up: they will not be pushed again. Unknown ids are ignored.
   * @throws TelexError `storage_unavailable` if they are not marked as acknowledged. The feed tries again until it ends. Repeat the call to know.
   */
  acknowledge(ids: number | readonly number[], failed?: boolean): Promise<void>;
  /** Ends the feed. Undelivered texts are queued again in their old order. */
  close(): Promise<void>;
}

export interface FeedDeps {
  readonly store: TeleprinterStore;
  readonly clock: Clock;
  readonly zone: Zone;
  readonly limits: TeleprinterLimits;
  readonly log: Logger;
  readonly bus: Pick<BusLink<never>, "hasPeers" | "follow">;
  readonly tally: Pick<Tally, "toDevices">;
  readonly holders: Holders;
  readonly delivered: (key: DeviceKey, ids: readonly number[]) => void;
  readonly freed: (deviceId: string) => void;
  /** A call of the storage, or a push, failed: messages may be held until this moment, in Unix milliseconds. */
  readonly lookUntil: (deviceId: string, end: number) => void;
}

export interface RunningFeed extends DeviceFeed {
  readonly connection: DeviceConnection;
  pump(): void;
  /** Resolves with true when the message has been delivered over this feed; with false when it waits. */
  reached(id: number): Promise<boolean>;
}

/** Milliseconds between a failure of the storage and the next attempt. */
const retryAfter = 5000;

const isStorageAway = (cause: unknown): boolean =>
  TelexError.is(cause) && (cause.code === "storage_unavailable" || cause.code === "storage_full");

/** Resolves the waits of senders when their messages have arrived. */
function createArrivals({ clock, limits }: FeedDeps) {
  const waiters = new Map<number, (reached: boolean) => void>();
  // A message may arrive before its sender begins to wait for that.
  const arrived = createLru<number, true>(limits.deviceWindow);
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

/** Runs `step` until it returns false, and again at each request, one run at a time. */
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
        // A caller asked after the last run, and before this line.
        if (again) pump();
      });
  };
  return {
    pump,
    isIdle: (): boolean => running === null,
    idle: async (): Promise<void> => {
      await running;
    },
  };
}

type Pump = ReturnType<typeof createPump>;

/** Pings a connection, unless it is to be replaced anyway. Closes it if it does not answer, and frees the texts that it holds. */
async function stateOf(
  { limits }: FeedDeps,
  connection: DeviceConnection,
  close: () => Promise<void>,
  takesOver: boolean,
): Promise<HolderState> {
  if (!takesOver && (await connection.ping(limits.takeoverWait))) return "connected";
  connection.close("replaced");
  // If the batch cannot be freed now, the next holder takes it over.
  await close().catch(() => undefined);
  return "gone";
}

/** The order of a feed, if it has one. */
const orderOf = ({ order }: FeedMode): Pick<FeedMode, "order"> => (order === undefined ? {} : { order });

function createPushing(deps: FeedDeps, to: Pick<Pushing, "connection" | "key" | "how">, marked: Pushing["marked"]) {
  const { promise: closed, resolve } = Promise.withResolvers<"busy">();
  let closing: Promise<void> | null = null;
  let end = (): Promise<void> => Promise.resolve();
  const close = (): Promise<void> => {
    resolve("busy");
    return (closing ??= end());
  };
  const entered = deps.holders.enter((takesOver) => stateOf(deps, to.connection, close, takesOver));
  const { withoutRooms = false } = to.connection.holder;
  const batch = createBatch(deps, { ...to.key, withoutRooms, ...orderOf(to.how) }, entered.holder);
  const pushing: Pushing = { deps, ...to, batch, marked, close, closed, isClosed: () => closing !== null };
  return {
    pushing,
    leave: entered.leave,
    /** Sets the function that ends the feed. It runs once. */
    onClose: (run: () => Promise<void>): void => void (end = run),
  };
}

/** Renews the batch of a feed, until the returned function is called. */
function keepBatch({ clock, limits, bus, log }: FeedDeps, { batch, key }: Pushing, pusher: Pump): () => void {
  const renew = async (): Promise<void> => {
    // The bus may have lost an event of another server. Taking finds its text, and renews the batch as well.
    const isHeld = bus.hasPeers && pusher.isIdle() ? false : await batch.renew();
    if (!isHeld) pusher.pump();
  };
  return repeat(clock, limits.deviceLease / 3, () => {
    renew().catch((cause: unknown) => log.error("device.renew_failed", { deviceId: key.deviceId }, cause));
  });
}

/** Pushes the texts of a feed. It retries after a failure while no written text is in doubt. */
function createPusher(deps: FeedDeps, pushing: Pushing) {
  const { connection, key, how, batch, isClosed } = pushing;
  const { deviceId } = key;
  let endPause = (): void => {};
  const lookAfterLease = (): void => deps.lookUntil(deviceId, deps.clock.now() + deps.limits.deviceLease);
  const failed = (cause: unknown): void => {
    lookAfterLease();
    deps.log.error("device.push_failed", { deviceId }, cause);
    if (isClosed()) return;
    endPause();
    // Texts that were written and could not be marked are freed when the connection closes, and sent again to the next one.
    if (isStorageAway(cause) && (how.ack || batch.isEmpty()))
      endPause = deps.clock.after(retryAfter, () => pusher.pump());
    else connection.close("too_slow");
  };
  const pusher = createPump(() => pushNext(pushing), failed);
  return { ...pusher, lookAfterLease, endPause: (): void => endPause() };
}

/** A feed over a connection. With `ack`, a message is delivered when the device says so. */
export function createFeed(deps: FeedDeps, connection: DeviceConnection, key: DeviceKey, how: FeedMode): RunningFeed {
  const arrivals = createArrivals(deps);
  const marked = (ids: readonly number[]): void => {
    for (const id of ids) arrivals.note(id);
    if (ids.length > 0) deps.delivered(key, ids);
  };
  const { pushing, leave, onClose } = createPushing(deps, { connection, key, how }, marked);
  const { batch, isClosed, close } = pushing;
  const pusher = createPusher(deps, pushing);
  const following = deps.bus.follow(topics.device(key.deviceId));
  // For texts that came before the bus reported them.
  if (deps.bus.hasPeers) void following.ready.then(() => pusher.pump());
  const endLease = keepBatch(deps, pushing, pusher);
  let acknowledged: Promise<unknown> = Promise.resolve();
  const deliver = async (ids: readonly number[]): Promise<void> => {
    marked(await batch.deliver(ids));
    // Another holder may have the queue, and push them.
    if (ids.some((id) => batch.has(id))) throw new TelexError("storage_unavailable");
  };
  const free = async (): Promise<void> => {
    try {
      if (batch.owes()) await deliver([]).catch(() => undefined);
      await batch.free();
    } catch (cause) {
      pusher.lookAfterLease();
      throw cause;
    } finally {
      leave();
    }
  };
  onClose(async () => {
    pusher.endPause();
    endLease();
    following.end();
    arrivals.end();
    await pusher.idle();
    // A queue that is free cannot mark texts any more.
    await acknowledged;
    await free();
    deps.freed(key.deviceId);
  });
  return {
    connection,
    pump: () => pusher.pump(),
    reached: (id) => (isClosed() || how.ack ? Promise.resolve(false) : arrivals.wait(id)),
    async acknowledge(given, failed = false) {
      const ids = [given].flat().filter((id) => batch.has(id));
      if (ids.length === 0) return;
      // The pump tries again after a failure: the device does not repeat an acknowledgement.
      const ended = failed ? batch.giveUp(ids) : deliver(ids);
      acknowledged = Promise.allSettled([acknowledged, ended]);
      await ended.finally(() => pusher.pump());
    },
    close,
  };
}
