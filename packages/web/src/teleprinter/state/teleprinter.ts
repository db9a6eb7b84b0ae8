import type { DeviceMessageView } from "@telex/core";
import type { ChannelEvent } from "@telex/ws/client";
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { createCurrent } from "../../base/current.ts";
import type { Server } from "../../server/server.ts";
import type { Shelf } from "../../base/shelf.ts";
import { createDevices, type Devices } from "./devices.ts";
import { createDrafts, type Drafts } from "../../outbox/drafts.ts";
import { createOutbox, type Outbox } from "../../outbox/outbox.ts";
import { createRoll, type Roll } from "./roll.ts";
import { createScheduled, type Scheduled } from "./scheduled.ts";
import { createUnread, type Unread } from "./unread.ts";

/** Texts that have reached their device. */
type Acknowledged = Extract<ChannelEvent<"teleprinter">, { readonly type: "TeleprinterDelivered" }>["data"];

export interface Teleprinter {
  readonly devices: Devices;
  readonly outbox: Outbox<DeviceMessageView>;
  readonly drafts: Drafts;
  readonly unread: Unread;
  readonly pairing: Server["pairing"];
  /** The scheduled texts of the open device. */
  readonly scheduled: Scheduled;
  /** The newest text from a device. */
  readonly arrived: ReadonlySignal<DeviceMessageView | null>;
  /** The newest texts that a device has acknowledged. */
  readonly acknowledged: ReadonlySignal<Acknowledged | null>;
  /** The roll of a device, which becomes the current one. */
  readonly unroll: (deviceId: string) => Roll;
  /** The person has left the page of the roll. */
  readonly rollUp: () => void;
  /** Handles an event of the server. */
  readonly receive: (event: ChannelEvent<"teleprinter">) => void;
  /**
   * Fetches missed texts.
   * @throws the errors of the server
   */
  readonly catchUp: () => Promise<void>;
}

interface TeleprinterOptions {
  readonly server: Pick<Server, "teleprinter" | "pairing">;
  readonly shelf: Shelf;
  /** True while events arrive. */
  readonly isLive: () => boolean;
  /** True while the page is visible. */
  readonly isSeen: () => boolean;
}

const createCurrentRoll = () => createCurrent(({ deviceId }: Roll) => deviceId);

type CurrentRoll = ReturnType<typeof createCurrentRoll>;

const hasDevice = (roll: Roll | null, devices: Devices): boolean =>
  roll !== null && devices.find(roll.deviceId) !== undefined;

/** Fetches the missed texts of the open roll. Ignores a device that no longer exists. */
async function catchUpWith(current: CurrentRoll, devices: Devices): Promise<void> {
  const roll = current.get();
  await roll?.catchUp().catch((error: unknown) => {
    if (hasDevice(current.get(), devices)) throw error;
  });
}

interface ArrivalDeps extends Pick<TeleprinterOptions, "isSeen"> {
  readonly outbox: Outbox<DeviceMessageView>;
  readonly unread: Unread;
  readonly current: CurrentRoll;
}

/** Counts messages of devices as unread until the person opens their paper. */
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

/** The texts that are being sent to devices. */
const createTexts = (
  { server, shelf, isLive }: TeleprinterOptions,
  current: CurrentRoll,
  scheduled: Scheduled,
): Outbox<DeviceMessageView> =>
  createOutbox<DeviceMessageView>({
    send: ({ to, content, nonce, delivery }) => server.teleprinter.send({ ...delivery, deviceId: to, content, nonce }),
    canBe: (message, { to, content }) =>
      message.direction === "to_device" && message.deviceId === to && message.content === content,
    stored: (message) => {
      if (current.of(message.deviceId) === null) return;
      if (message.state === "scheduled") scheduled.receive(message);
      else current.of(message.deviceId)?.receive(message);
    },
    isLive,
    shelf: shelf.folder("outbox"),
  });

/** The scheduled texts of the open device. An arriving text may be one of them; then the list is loaded again. */
function createLater(server: TeleprinterOptions["server"], current: CurrentRoll) {
  const scheduled = createScheduled(server.teleprinter);
  const look = ({ deviceId, direction, content }: DeviceMessageView): void => {
    const isOne = scheduled.list.peek().some((text) => text.deviceId === deviceId && text.content === content);
    if (isOne && direction === "to_device" && current.of(deviceId) !== null) scheduled.load(deviceId);
  };
  return { scheduled, look };
}

interface ReceivingDeps {
  readonly devices: Devices;
  readonly current: CurrentRoll;
  readonly take: (message: DeviceMessageView) => void;
  readonly acknowledged: Signal<Acknowledged | null>;
}

/** Handles the events of the server. */
const createReceiving =
  ({ devices, current, take, acknowledged }: ReceivingDeps): Teleprinter["receive"] =>
  ({ type, data }) => {
    if (type === "TeleprinterMessage") return take(data);
    if (type === "TeleprinterPresence") return devices.receive(data);
    current.of(data.deviceId)?.delivered(data.ids);
    acknowledged.value = data;
  };

export function createTeleprinter(options: TeleprinterOptions): Teleprinter {
  const { server, shelf, isLive, isSeen } = options;
  const [devices, unread, current] = [createDevices(server.teleprinter), createUnread(), createCurrentRoll()];
  const { scheduled, look } = createLater(server, current);
  const outbox = createTexts(options, current, scheduled);
  const { arrived, take: arrive } = createArrivals({ outbox, unread, current, isSeen });
  const take = (message: DeviceMessageView): void => {
    look(message);
    arrive(message);
  };
  const page = server.teleprinter.messages;
  const unroll = (deviceId: string): Roll => {
    unread.clear(deviceId);
    scheduled.load(deviceId);
    return current.open(deviceId, () => createRoll({ deviceId, page, isLive }));
  };
  const catchUp = async (): Promise<void> => {
    await outbox.retry();
    await devices.load();
    await catchUpWith(current, devices);
    const roll = current.get();
    if (roll !== null) scheduled.load(roll.deviceId);
  };
  const drafts = createDrafts(shelf.folder("draft"));
  const acknowledged = signal<Acknowledged | null>(null);
  const receive = createReceiving({ devices, current, take, acknowledged });
  const { pairing } = server;
  return {
    devices,
    outbox,
    drafts,
    unread,
    pairing,
    scheduled,
    arrived,
    acknowledged,
    unroll,
    rollUp: current.leave,
    receive,
    catchUp,
  };
}
