import { randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Limits } from "../limits.ts";
import type { LiveConnection, LiveEvent } from "../live.ts";
import type { Logger } from "../log.ts";
import type { Clock, Zone } from "../time.ts";
import { refusal } from "./refusal.ts";
import type { DeviceKey, DeviceMessageRecord, TeleprinterStore } from "./store.ts";
import { deviceMessageView } from "./view.ts";

/** The open connection of a device, as a transport gives it to core. */
export interface DeviceConnection extends LiveConnection {
  /** Like `write`; resolves with true when the socket has taken all of it, with false when it is gone. */
  push(events: readonly LiveEvent[]): Promise<boolean>;
  /** Resolves with true when the other side answers a ping within `wait` milliseconds. */
  ping(wait: number): Promise<boolean>;
}

/** A device connection that messages are pushed to. */
export interface DeviceLink {
  /** The device has this message for good: it will not be pushed again. Other ids are passed over. */
  acknowledge(id: number): Promise<void>;
  /** Ends the link; what was not delivered is queued again in its old order. */
  close(): Promise<void>;
}

/** What device links need. */
export interface LinkDependencies {
  readonly store: TeleprinterStore;
  readonly clock: Clock;
  readonly zone: Zone;
  readonly limits: Limits;
  readonly log: Logger;
  /** Messages have reached their device. */
  readonly delivered: (key: DeviceKey, ids: readonly number[]) => void;
  /** Messages are free again: polls may take them. */
  readonly freed: (deviceId: string) => void;
}

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

/** One link at work. */
interface Line extends DeviceLink {
  readonly connection: DeviceConnection;
  pump(): void;
  reached(id: number): Promise<boolean>;
}

/** Larger than any time: what an open connection holds is free when it closes. */
const asLongAsOpen = Number.MAX_SAFE_INTEGER;
const pushed = 100;

function createLine(deps: LinkDependencies, connection: DeviceConnection, key: DeviceKey, ack: boolean): Line {
  const { store, clock, limits, log } = deps;
  const { deviceId } = key;
  const holder = randomBytes(12).toString("hex");
  const waiters = new Map<number, (reached: boolean) => void>();
  const inFlight = new Set<number>();
  // A running pump may deliver a message before its sender begins to wait for that.
  const arrived = new LRUCache<number, true>({ max: limits.deviceWindow });
  let closed = false;
  let again = false;
  let running: Promise<void> | null = null;

  const deliver = async (ids: readonly number[]): Promise<void> => {
    const marked = await store.deliver({ deviceId, holder, ids });
    for (const id of ids) inFlight.delete(id);
    for (const id of marked) {
      arrived.set(id, true);
      waiters.get(id)?.(true);
    }
    if (marked.length > 0) deps.delivered(key, marked);
  };
  const takeSome = async (): Promise<readonly DeviceMessageRecord[]> => {
    const limit = Math.min(pushed, limits.deviceWindow - inFlight.size);
    if (closed || limit <= 0) return [];
    const taken = await store.take({ ...key, limit, holder, now: clock.now(), until: asLongAsOpen });
    if (taken.outcome !== "taken") throw refusal(taken, deviceId);
    return taken.messages;
  };
  const pushSome = async (): Promise<boolean> => {
    const messages = await takeSome();
    if (messages.length === 0) return false;
    for (const { id } of messages) inFlight.add(id);
    const written = await connection.push(
      messages.map((message) => ({ kind: "device_message", data: deviceMessageView(message, deps.zone, ack ? 0 : 1) })),
    );
    if (written && !ack) await deliver(messages.map(({ id }) => id));
    return written;
  };
  const run = async (): Promise<void> => {
    do {
      again = false;
      while (await pushSome());
    } while (again);
  };
  const pump = (): void => {
    again = true;
    if (closed || running !== null) return;
    running = run()
      .catch((cause: unknown) => {
        // What is held is freed when the connection closes, and comes again when the device does.
        log.error("device.push_failed", { deviceId }, cause);
        connection.close("too_slow");
      })
      .finally(() => {
        running = null;
      });
  };
  return {
    connection,
    pump,
    reached(id) {
      if (closed || ack || arrived.has(id)) return Promise.resolve(arrived.has(id));
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const cancel = clock.after(limits.devicePushWait, () => resolve(false));
      waiters.set(id, resolve);
      return promise.finally(() => {
        cancel();
        waiters.delete(id);
      });
    },
    async acknowledge(id) {
      if (!inFlight.has(id)) return;
      await deliver([id]);
      pump();
    },
    async close() {
      if (closed) return;
      closed = true;
      for (const resolve of waiters.values()) resolve(false);
      await running;
      await store.requeue({ deviceId, holder });
      deps.freed(deviceId);
    },
  };
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
      const settled = opened.catch(() => {}).finally(() => {
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
