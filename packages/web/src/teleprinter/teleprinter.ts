import type { DeviceMessageView } from "@telex/core";
import type { ChannelEvent } from "@telex/ws/client";
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { Server } from "../session/server.ts";
import type { Shelf } from "../shelf.ts";
import { createDevices, type Devices } from "./devices.ts";
import { createDrafts, type Drafts } from "./drafts.ts";
import { createOutbox, type Outbox } from "../outbox/outbox.ts";
import { createRoll, type Roll, type RollOptions } from "./roll.ts";
import { createUnread, type Unread } from "./unread.ts";

/** The teleprinter of one user. */
export interface Teleprinter {
  readonly devices: Devices;
  readonly outbox: Outbox<DeviceMessageView>;
  readonly drafts: Drafts;
  readonly unread: Unread;
  readonly pairing: Server["pairing"];
  /** The newest text that came from a device and was not known before. */
  readonly arrived: ReadonlySignal<DeviceMessageView | null>;
  /** All texts that came and were not looked at. */
  readonly unreadTotal: ReadonlySignal<number>;
  /** The roll of a device, from now on the one that is looked at. */
  readonly unroll: (deviceId: string) => Roll;
  /** No roll is looked at. */
  readonly rollUp: () => void;
  /** Takes in what the server tells. */
  readonly receive: (event: ChannelEvent<"teleprinter">) => void;
  /**
   * Fetches what was missed.
   * @throws what a call of the server throws
   */
  readonly catchUp: () => Promise<void>;
}

/** What {@link createTeleprinter} needs. */
interface TeleprinterOptions {
  readonly server: Pick<Server, "teleprinter" | "pairing">;
  readonly shelf: Shelf;
  /** True while everything that happens is told. */
  readonly isLive: () => boolean;
  /** True while somebody can see the page. */
  readonly isSeen: () => boolean;
}

/** The roll that is looked at, if any. */
function createCurrent(options: Omit<RollOptions, "deviceId">) {
  let current: Roll | null = null;
  const of = (deviceId: string): Roll | null => (current?.deviceId === deviceId ? current : null);
  return {
    of,
    unroll: (deviceId: string): Roll => {
      current = of(deviceId) ?? createRoll({ deviceId, ...options });
      return current;
    },
    rollUp: (): void => {
      current = null;
    },
    /** A device that does not exist any more has nothing to catch up with. */
    catchUp: async (exists: (deviceId: string) => boolean): Promise<void> => {
      await current?.catchUp().catch((error: unknown) => {
        if (current !== null && exists(current.deviceId)) throw error;
      });
    },
  };
}

interface ArrivalDeps extends Pick<TeleprinterOptions, "isSeen"> {
  readonly outbox: Outbox<DeviceMessageView>;
  readonly unread: Unread;
  readonly current: ReturnType<typeof createCurrent>;
}

/** What the server tells of messages: those of devices count as unread until they are looked at. */
function createArrivals({ outbox, unread, current, isSeen }: ArrivalDeps) {
  const arrived = signal<DeviceMessageView | null>(null);
  const take = (message: DeviceMessageView): void => {
    if (outbox.hold(message)) return;
    current.of(message.deviceId)?.receive(message);
    if (message.direction === "to_device") return;
    arrived.value = message;
    if (current.of(message.deviceId) === null || !isSeen()) unread.add(message.deviceId);
  };
  return { arrived, take };
}

/** Puts the parts together. */
export function createTeleprinter({ server, shelf, isLive, isSeen }: TeleprinterOptions): Teleprinter {
  const devices = createDevices(server.teleprinter);
  const unread = createUnread();
  const current = createCurrent({ page: server.teleprinter.messages, isLive });
  const outbox = createOutbox<DeviceMessageView>({
    send: ({ to, content, nonce }) => server.teleprinter.send({ deviceId: to, content, nonce }),
    canBe: (message, { to, content }) =>
      message.direction === "to_device" && message.deviceId === to && message.content === content,
    stored: (message) => current.of(message.deviceId)?.receive(message),
    isLive,
    shelf: shelf.folder("outbox"),
  });
  const { arrived, take } = createArrivals({ outbox, unread, current, isSeen });
  return {
    devices,
    outbox,
    drafts: createDrafts(shelf.folder("draft")),
    unread,
    pairing: server.pairing,
    arrived,
    unreadTotal: computed(() => [...unread.counts.value.values()].reduce((sum, count) => sum + count, 0)),
    unroll(deviceId) {
      unread.clear(deviceId);
      return current.unroll(deviceId);
    },
    rollUp: current.rollUp,
    receive({ type, data }) {
      if (type === "TeleprinterMessage") take(data);
      else if (type === "TeleprinterPresence") devices.receive(data);
      else current.of(data.deviceId)?.delivered(data.ids);
    },
    async catchUp() {
      await outbox.retry();
      await devices.load();
      await current.catchUp((deviceId) => devices.find(deviceId) !== undefined);
    },
  };
}
