import type { SharedLimits } from "@telex/ground/contract";
import type { Waiting } from "@telex/ground/concurrency";
import { TelexError, type Locale } from "@telex/ground/errors";
import type { Logger } from "@telex/ground/log";
import type { Clock, Zone } from "@telex/ground/time";
import { type BusLink, topics } from "@telex/ground/bus";
import type { TeleprinterBusEvents } from "./bus-events.ts";
import type { Rooms } from "../groups/rooms.ts";
import type { TeleprinterLimits } from "./limits.ts";
import type { LiveConnection, LiveConnections } from "@telex/ground/live";
import type { DeviceTextEvent, TeleprinterLiveEvent } from "./live-events.ts";
import type { DeviceConnect, DeviceConnection } from "./connection.ts";
import type { Tally } from "../observe/figures.ts";
import { createAnswering, type AnsweringDeps } from "./answering.ts";
import { createAttendances, type DeviceAttendance } from "./presence/attendance.ts";
import type { DeviceMessageView, DeviceView } from "./contract.ts";
import type { DeviceRooms, TeleprinterDeps } from "./deps.ts";
import type { DeviceFeed } from "./feed.ts";
import { createFeeds } from "./feeds.ts";
import { createHolders, type HolderQuestions } from "./holders.ts";
import { createLooks } from "./looks.ts";
import { createPresence } from "./presence/presence.ts";
import { claimRefusal } from "./refusal.ts";
import { createRoomPrinting } from "./room-printing.ts";
import { createDueTexts } from "./schedule/schedule.ts";
import { createTeleprinterService, pageTexts, queueText, sendText, touchDevice } from "./service.ts";
import type { DeviceKey, TeleprinterStore } from "./store.ts";
import { type DeviceRecord, newDevice } from "../records/teleprinter.ts";
import { deviceView, isOnline } from "./view.ts";
import { createWatchers } from "./presence/watchers.ts";

/** Parts of the instance that devices use. */
export interface TeleprinterParts {
  readonly store: TeleprinterStore;
  /** The generation of a device was raised: ends the tokens that are for an earlier one. */
  readonly raised: (deviceId: string) => Promise<void>;
  readonly waiting: Waiting;
  readonly bus: Pick<BusLink<TeleprinterBusEvents>, "publish" | "hasPeers" | "follow">;
  /** Calls back when a token ends. */
  readonly live: Pick<LiveConnections<never>, "attach">;
  readonly clock: Clock;
  readonly zone: Zone;
  readonly limits: TeleprinterLimits & SharedLimits;
  readonly log: Logger;
  readonly tally: Pick<Tally, "toDevices">;
  /** Publishes for plug-ins a text, and a device that came, went or was changed. */
  readonly told: { readonly message: (data: DeviceMessageView) => void; readonly presence: (data: DeviceView) => void };
  readonly ordered: <T>(promise: Promise<T>) => Promise<T>;
  readonly locale: Locale;
  readonly answering: AnsweringDeps["answering"];
  readonly toolAnswers: AnsweringDeps["toolAnswers"];
  readonly accountQuestions: HolderQuestions;
  /** The name of this server in its leases. */
  readonly leases: { readonly holder: string };
  readonly rooms: Rooms;
  /** Sends a text of a device to its room. */
  readonly sayInRoom: DeviceRooms["say"];
  /** Called when work begins. The returned function is called when it has ended. */
  readonly begin: () => () => void;
}

function createAnnouncements({ clock, zone, limits, told, bus }: TeleprinterParts) {
  const watchers = createWatchers();
  const view = (device: DeviceRecord): DeviceView => deviceView(device, zone, isOnline(device, clock.now(), limits));
  const tellAll = (owner: number, event: DeviceTextEvent): void => {
    watchers.tell(owner, event);
    bus.publish({ kind: "device_text", owner, event });
  };
  return {
    view,
    watch(connection: LiveConnection<TeleprinterLiveEvent>): () => void {
      const following = bus.follow(topics.user(connection.holder.userId));
      const end = watchers.watch(connection);
      return () => {
        end();
        following.end();
      };
    },
    tell: (owner: number, event: DeviceTextEvent): void => watchers.tell(owner, event),
    device: (device: DeviceRecord, isOwn: boolean): void => {
      const data = view(device);
      watchers.tell(device.owner, { kind: "device_presence", data });
      if (!isOwn) return;
      bus.publish({ kind: "device_presence", device });
      told.presence(data);
    },
    stored: (owner: number, data: DeviceMessageView): void => {
      tellAll(owner, { kind: "device_message", data });
      told.message(data);
    },
    delivered: ({ deviceId, owner }: DeviceKey, ids: readonly number[]): void => {
      if (ids.length > 0) tellAll(owner, { kind: "device_delivered", data: { deviceId, ids: [...ids] } });
    },
  };
}

/** A token with `chat`, one for all devices, or one for this very device. */
function assertDeviceScope({ holder }: Pick<DeviceConnection, "holder">, deviceId: string): void {
  const fits = ["chat", "device", `device:${deviceId}`].some((scope) => holder.scopes.includes(scope));
  if (!fits) throw new TelexError("insufficient_scope", { params: { scope: "chat" } });
}

/**
 * Gives a device to a user who has confirmed its code, and ends the tokens of its earlier generations.
 * @throws TelexError `device_taken`, `quota_exceeded`
 */
async function pairDevice(
  { store, clock, limits, raised }: TeleprinterParts,
  device: DeviceKey & { readonly name: string },
): Promise<DeviceRecord> {
  const deviceLimit = limits.devicesPerUser;
  const claimed = await store.pairDevice({ ...device, now: clock.now(), deviceLimit });
  if (!("device" in claimed)) throw claimRefusal(claimed.outcome, device.deviceId, deviceLimit);
  await raised(device.deviceId);
  return claimed.device;
}

type Announcements = ReturnType<typeof createAnnouncements>;

/** Sends scheduled texts when they are due. */
const createDue = (deps: TeleprinterDeps): (() => void) =>
  createDueTexts({
    store: deps.store,
    clock: deps.clock,
    zone: deps.zone,
    limits: deps.limits,
    log: deps.log,
    send: ({ life, at, id, nonce, createdAt: _createdAt, ...text }, isKnown) =>
      sendText(deps, {
        ...text,
        direction: "to_device",
        nonce: isKnown ? null : nonce,
        expiresAt: life === null ? null : at + life,
        scheduleId: id,
        // The limits of schedules bound it, and a text that is due has no sender who could wait.
        queueLimit: Number.POSITIVE_INFINITY,
      }),
  });

function createService(
  parts: TeleprinterParts,
  announce: Announcements,
  own: Pick<TeleprinterDeps, "presence" | "feeds" | "wakePolls" | "lookUntil" | "holders" | "freed">,
) {
  const { store, clock, zone, limits, log, locale, begin, answering } = parts;
  const printing = createRoomPrinting({
    store,
    locale,
    log,
    begin,
    clock,
    queue: (key, content, fields) =>
      queueText(deps, { ...key, ...fields, direction: "to_device", content, nonce: null, room: true }),
  });
  const deps: TeleprinterDeps = {
    store,
    raised: parts.raised,
    waiting: parts.waiting,
    bus: parts.bus,
    live: parts.live,
    clock,
    zone,
    limits,
    log,
    ordered: parts.ordered,
    ...own,
    stored: announce.stored,
    delivered: announce.delivered,
    assertModel: (model) => answering.assert(model),
    rooms: {
      assertMember: async (groupId, userId) => void (await parts.rooms.enter({ groupId, userId })),
      say: parts.sayInRoom,
      changed: printing.forget,
    },
    said: createAnswering({
      store,
      answering,
      toolAnswers: parts.toolAnswers,
      clock,
      locale,
      log,
      begin,
      send: (key, content, room) => sendText(deps, { ...key, direction: "to_device", content, nonce: null, room }),
    }),
  };
  return {
    /** Call it each second. */
    sendDue: createDue(deps),
    service: createTeleprinterService(deps),
    print: printing.print,
    pageOwnTexts: (owner: number, input: Parameters<typeof pageTexts>[2]) =>
      pageTexts(deps, owner, { ...input, withoutRooms: true }),
  };
}

/** Takes the connections of devices in. */
function createConnecting(
  { store, clock, limits }: TeleprinterParts,
  own: Pick<TeleprinterDeps, "presence" | "feeds"> & { readonly endPolls: (deviceId: string) => void },
) {
  const { presence, feeds, endPolls } = own;
  const attendances = createAttendances({ store, clock, limits, presence });
  return {
    async connect(
      connection: DeviceConnection,
      { deviceId, ack, takesOver = false, order }: DeviceConnect,
    ): Promise<DeviceFeed | null> {
      assertDeviceScope(connection, deviceId);
      const key = { deviceId, owner: connection.holder.userId };
      await touchDevice({ store, clock, presence }, key);
      if (takesOver) endPolls(deviceId);
      return feeds.open(connection, key, { ack, takesOver, ...(order !== undefined && { order }) });
    },
    async attend(connection: LiveConnection<TeleprinterLiveEvent>, deviceId: string): Promise<DeviceAttendance> {
      assertDeviceScope(connection, deviceId);
      return attendances.begin({ deviceId, owner: connection.holder.userId }, connection.channel);
    },
  };
}

/** The teleprinter with its connections. */
export function createTeleprinter(parts: TeleprinterParts) {
  const { store, waiting, bus, clock, zone, limits, log, tally } = parts;
  const announce = createAnnouncements(parts);
  const presence = createPresence({ store, clock, limits, log, announce: announce.device });
  const wakePolls = (deviceId: string): void => {
    waiting.wake(deviceId);
    bus.publish({ kind: "device_wake", deviceId });
  };
  const wake = (deviceId: string, ends = false): void => {
    if (ends) return waiting.end(deviceId);
    feeds.wake(deviceId);
    waiting.wake(deviceId);
  };
  const endPolls = (deviceId: string): void => {
    waiting.end(deviceId);
    bus.publish({ kind: "device_wake", deviceId, ends: true });
  };
  const lookUntil = createLooks({ clock, limits, look: wake });
  const freed = (deviceId: string): void => {
    feeds.wake(deviceId);
    wakePolls(deviceId);
  };
  const holders = createHolders(parts, freed);
  const feeds = createFeeds({
    store,
    clock,
    zone,
    limits,
    log,
    bus,
    tally,
    delivered: announce.delivered,
    freed: wakePolls,
    lookUntil,
    holders,
  });
  return {
    ...createService(parts, announce, { presence, feeds, wakePolls, lookUntil, holders, freed }),
    feeds,
    presence,
    /** Handlers for events of other servers. */
    heard: {
      text: announce.tell,
      // A server of the version before leaves the newer fields out.
      presence: (device: DeviceRecord): void => presence.hear({ ...newDevice, ...device }),
      wake,
    },
    watch: (connection: LiveConnection<TeleprinterLiveEvent>): (() => void) => announce.watch(connection),
    pairDevice: (device: DeviceKey & { readonly name: string }) => pairDevice(parts, device),
    /** Call it after a device was given to its user. */
    registered(device: DeviceRecord): DeviceView {
      presence.note(device, true);
      return announce.view(device);
    },
    ...createConnecting(parts, { presence, feeds, endPolls }),
  };
}
