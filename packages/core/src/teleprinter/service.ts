import type { z } from "zod";
import type { TokenHolder, Implementation } from "@telex/ground/contract";
import { TelexError } from "@telex/ground/errors";
import { second } from "@telex/ground/time";
import type { DeviceMessageView, DeviceView, TeleprinterContract } from "./contract.ts";
import type { TeleprinterDeps } from "./deps.ts";
import { poll, type PollAck } from "./poll.ts";
import { claimRefusal, refusal } from "./refusal.ts";
import { listSchedules, scheduleText, unschedule } from "./schedule/schedule.ts";
import type { DeviceAppend, DeviceChange, DeviceKey } from "./store.ts";
import type { DeviceRecord } from "../records/teleprinter.ts";
import { deviceMessageView, deviceView, isOnline } from "./view.ts";

type RegisterInput = z.output<TeleprinterContract["register"]["input"]>;
type HeartbeatInput = z.output<TeleprinterContract["heartbeat"]["input"]>;

type Append = Omit<DeviceAppend, "now" | "nonceLife" | "queueLimit"> & Partial<Pick<DeviceAppend, "queueLimit">>;

/**
 * Stores a sign of life.
 * @throws TelexError `device_not_found`, `not_owner`
 */
export async function touchDevice(
  { store, clock, presence }: Pick<TeleprinterDeps, "store" | "clock" | "presence">,
  key: DeviceKey,
): Promise<DeviceRecord> {
  const touched = await store.touchDevice({ deviceId: key.deviceId, owner: key.owner, now: clock.now() });
  if (touched.outcome !== "touched") throw refusal(touched, key.deviceId);
  presence.note(touched.device);
  return touched.device;
}

/** Stores one text, and notifies all that wait for it. */
async function append(deps: TeleprinterDeps, input: Append) {
  const { store, clock, limits, zone, presence } = deps;
  const appended = await deps.ordered(
    store.append({ queueLimit: limits.deviceQueue, ...input, now: clock.now(), nonceLife: limits.nonceLife }),
  );
  if (appended.outcome === "nonce_conflict") throw new TelexError("nonce_conflict");
  if (appended.outcome === "unscheduled") throw new TelexError("not_found");
  if (appended.outcome === "full")
    throw new TelexError("queue_full", { params: { max: limits.deviceQueue }, retryAfter: 60 });
  if (appended.outcome === "missing" || appended.outcome === "not_owner") throw refusal(appended, input.deviceId);
  const message = deviceMessageView(appended.message, zone, clock.now());
  if (input.direction === "from_device") presence.note(appended.device);
  if (appended.outcome === "appended") deps.stored(input.owner, message);
  if (appended.outcome === "appended" && input.direction === "from_device") deps.said(appended.device, input.content);
  return { message, device: appended.device };
}

/** Stores a text for a device, and wakes its polls. */
export async function queueText(deps: TeleprinterDeps, input: Append): Promise<DeviceMessageView> {
  const { message } = await append(deps, input);
  if (message.delivered === 1) return message;
  deps.feeds.wake(input.deviceId);
  deps.wakePolls(input.deviceId);
  return message;
}

/** @throws TelexError `insufficient_scope` if the device prints a room: the token of the caller does not cover messages of rooms */
async function assertNoRoom({ store }: TeleprinterDeps, deviceId: string): Promise<void> {
  if (((await store.findDevice(deviceId))?.roomId ?? null) === null) return;
  throw new TelexError("insufficient_scope", { reason: "room_reserved" });
}

type SyncInput = z.output<TeleprinterContract["sync"]["input"]>;

/** Stores a text of a device. If the device prints a room, the text goes into the room before this resolves. */
async function sync(
  deps: TeleprinterDeps,
  caller: TokenHolder,
  input: SyncInput,
  { nonceReuse }: Pick<DeviceAppend, "nonceReuse">,
): Promise<DeviceMessageView> {
  const { nonce = null, deviceId, content } = input;
  if (caller.withoutRooms === true) await assertNoRoom(deps, deviceId);
  const text = { deviceId, owner: caller.userId, direction: "from_device", content, nonce, nonceReuse } as const;
  const { message, device } = await append(deps, text);
  // Checked again, because it may print a room only now.
  if (device.roomId !== null && caller.withoutRooms !== true) await deps.rooms.say(device, message);
  return message;
}

/** Stores a text for a device, and pushes it if the device is connected. */
export async function sendText(deps: TeleprinterDeps, input: Append): Promise<DeviceMessageView> {
  const { feeds } = deps;
  const { message } = await append(deps, input);
  if (message.delivered === 1) return message;
  const reached = feeds.reached(input.deviceId, message.id);
  feeds.wake(input.deviceId);
  deps.wakePolls(input.deviceId);
  if (reached === null || !(await reached)) return message;
  return { ...message, delivered: 1, ...(message.state !== undefined && { state: "delivered" }) };
}

/**
 * A token for one device alone must not use its owner's quota, choose the room that the device prints, or send texts to
 * the device.
 */
async function assertSetting(
  deps: TeleprinterDeps,
  { userId, scopes }: TokenHolder,
  { ai, room, tags }: Partial<RegisterInput>,
): Promise<void> {
  if (ai === undefined && room === undefined && tags === undefined) return;
  if (!scopes.includes("chat")) throw new TelexError("insufficient_scope", { params: { scope: "chat" } });
  if (typeof ai === "string") deps.assertModel(ai);
  if (room !== undefined && room !== null) await deps.rooms.assertMember(room.groupId, userId);
}

const claimOf = (
  { clock, limits }: TeleprinterDeps,
  owner: number,
  { deviceId, name, ai, room, tags }: RegisterInput,
) => ({
  deviceId,
  owner,
  name,
  now: clock.now(),
  deviceLimit: limits.devicesPerUser,
  ...(ai !== undefined && { ai }),
  ...(room !== undefined && { room }),
  ...(tags !== undefined && { tags: [...new Set(tags)] }),
});

/**
 * Gives a device to the caller, or renames it.
 * @throws TelexError `device_taken`, `quota_exceeded`, `insufficient_scope`, `not_found` if there is no such model, `group_not_found`
 */
async function register(deps: TeleprinterDeps, caller: TokenHolder, input: RegisterInput): Promise<DeviceRecord> {
  await assertSetting(deps, caller, input);
  const claim = claimOf(deps, caller.userId, input);
  const claimed = await deps.store.claimDevice(claim);
  if (!("device" in claimed)) throw claimRefusal(claimed.outcome, claim.deviceId, claim.deviceLimit);
  deps.presence.note(claimed.device, true);
  deps.rooms.changed();
  return claimed.device;
}

/** Devices by ID, which stays the same while they come and go. */
const pageOf = (devices: readonly DeviceRecord[], cursor: string, pageSize: number): readonly DeviceRecord[] =>
  devices
    .filter(({ deviceId }) => deviceId > cursor)
    .toSorted((a, b) => (a.deviceId < b.deviceId ? -1 : 1))
    .slice(0, pageSize);

const viewOf = ({ clock, zone, limits }: TeleprinterDeps, device: DeviceRecord): DeviceView =>
  deviceView(device, zone, isOnline(device, clock.now(), limits));

/** @throws TelexError `device_not_found`, `not_owner` */
async function amend(deps: TeleprinterDeps, key: DeviceKey, change: DeviceChange): Promise<DeviceRecord> {
  const amended = await deps.store.amendDevice({ ...key, change });
  if (amended.outcome !== "amended") throw refusal(amended, key.deviceId);
  deps.presence.note(amended.device, true);
  return amended.device;
}

/** Stores a sign of life, and what the device says about itself if that is new. */
async function heartbeat(deps: TeleprinterDeps, owner: number, input: HeartbeatInput): Promise<DeviceRecord> {
  const { deviceId, fault, program, transport, can } = input;
  const device = await touchDevice(deps, { deviceId, owner });
  const change = {
    ...(program !== undefined && program !== device.program && { program }),
    ...(transport !== undefined && transport !== device.transport && { transport }),
    ...(can !== undefined && can.join("\n") !== device.can.join("\n") && { can }),
    ...(fault !== undefined && fault !== device.fault && { fault, faultAt: fault === null ? null : deps.clock.now() }),
  };
  return Object.keys(change).length === 0 ? device : amend(deps, { deviceId, owner }, change);
}

/** Frees a device ID, and ends the work for its device. */
async function unregister(deps: TeleprinterDeps, key: DeviceKey): Promise<null> {
  const { deviceId } = key;
  const released = await deps.store.releaseDevice(key);
  if (released.outcome !== "released") throw refusal(released, deviceId);
  deps.presence.forget(deviceId);
  deps.rooms.changed();
  deps.wakePolls(deviceId);
  await deps.raised(deviceId);
  await deps.feeds.check(deviceId);
  return null;
}

type MessagesInput = z.output<TeleprinterContract["messages"]["input"]> & { readonly withoutRooms?: boolean };

/**
 * A page of the texts of a device; `withoutRooms` leaves out those of a room.
 * @throws TelexError `device_not_found`, `not_owner`
 */
export async function pageTexts(
  { store, zone, clock }: Pick<TeleprinterDeps, "store" | "zone" | "clock">,
  owner: number,
  { deviceId, cursor, pageSize, withoutRooms = false }: MessagesInput,
): Promise<z.output<TeleprinterContract["messages"]["output"]>> {
  const page = await store.page({ deviceId, owner, before: cursor ?? null, limit: pageSize, withoutRooms });
  if (page.outcome !== "page") throw refusal(page, deviceId);
  const messages = page.messages.map((message) => deviceMessageView(message, zone, clock.now()));
  return { nextPageCursor: page.more ? String(messages.at(-1)?.id) : null, messages };
}

type Verbs<Name extends keyof TeleprinterContract> = Pick<Implementation<TeleprinterContract>, Name>;

const createDeviceVerbs = (
  deps: TeleprinterDeps,
): Verbs<"register" | "rename" | "heartbeat" | "offline" | "devices" | "unregister"> => ({
  register: async (caller, input) => viewOf(deps, await register(deps, caller, input)),
  async rename(caller, { deviceId, name, tags }) {
    await assertSetting(deps, caller, { tags });
    const change = { ...(name !== undefined && { name }), ...(tags !== undefined && { tags: [...new Set(tags)] }) };
    return viewOf(deps, await amend(deps, { deviceId, owner: caller.userId }, change));
  },
  heartbeat: async ({ userId }, input) => viewOf(deps, await heartbeat(deps, userId, input)),
  async offline({ userId: owner }, { deviceId }) {
    const left = await deps.store.leaveDevice({ deviceId, owner });
    if (left.outcome !== "left") throw refusal(left, deviceId);
    deps.presence.note(left.device, true);
    return viewOf(deps, left.device);
  },
  async devices({ userId }, { pageSize, cursor = "", tag }) {
    const owned = await deps.store.listDevices(userId);
    const all = tag === undefined ? owned : owned.filter(({ tags }) => tags.includes(tag));
    const devices = pageSize === undefined ? all : pageOf(all, cursor, pageSize);
    for (const device of devices) deps.presence.expect(device);
    return devices.map((device) => viewOf(deps, device));
  },
  unregister: ({ userId: owner }, { deviceId }) => unregister(deps, { deviceId, owner }),
});

type PollInput = z.output<TeleprinterContract["poll"]["input"]>;

/** @throws TelexError `invalid_request` for an `ack`, which marks every lower id, with an order of its own */
function ackOf({ ack, acks, failed, order }: PollInput): PollAck | undefined {
  if (order !== undefined && ack !== undefined)
    throw new TelexError("invalid_request", { issues: [{ path: "ack", problem: "not_with_order", params: {} }] });
  if (ack === undefined && acks === undefined && failed === undefined) return undefined;
  return { upTo: ack ?? 0, ids: acks ?? [], failedIds: failed ?? [] };
}

/** Unix milliseconds at which a text expires that is sent at `from`, or null. `life`: in seconds. */
const expiryOf = (from: number, life: number | undefined): number | null =>
  life === undefined ? null : from + life * second;

type SendInput = z.output<TeleprinterContract["send"]["input"]>;

/** Sends a text now, or stores it for later. */
function send(
  deps: TeleprinterDeps,
  owner: number,
  input: SendInput,
  { nonceReuse }: Pick<DeviceAppend, "nonceReuse">,
): Promise<DeviceMessageView> {
  const { deviceId, content, nonce = null, title = null, via, priority, life, at } = input;
  const now = deps.clock.now();
  if (at !== undefined && at > now) return scheduleText(deps, owner, input, at);
  const text = { deviceId, owner, direction: "to_device", content, nonce, nonceReuse, title, priority } as const;
  return sendText(deps, { ...text, via: via?.name ?? null, expiresAt: expiryOf(now, life) });
}

const createTextVerbs = (
  deps: TeleprinterDeps,
): Verbs<"poll" | "sync" | "send" | "messages" | "schedules" | "unschedule"> => ({
  async poll(caller, input, context) {
    const { deviceId, limit, wait, order } = input;
    const key = { deviceId, owner: caller.userId };
    const ack = ackOf(input);
    await touchDevice(deps, key);
    const messages = await poll(deps, { ...key, caller, limit, wait, ack, order }, context);
    if (wait > 0) await touchDevice(deps, key);
    const now = deps.clock.now();
    return messages.map((message) => deviceMessageView(message, deps.zone, now, ack === undefined ? 1 : 0));
  },
  sync: (caller, input, { nonceReuse }) => sync(deps, caller, input, { nonceReuse }),
  send: ({ userId }, input, { nonceReuse }) => send(deps, userId, input, { nonceReuse }),
  schedules: ({ userId: owner }, { deviceId }) => listSchedules(deps, { deviceId, owner }),
  unschedule: ({ userId: owner }, { deviceId, id }) => unschedule(deps, { deviceId, id, owner }),
  messages: ({ userId: owner, withoutRooms = false }, input) => pageTexts(deps, owner, { ...input, withoutRooms }),
});

/** Texts between a user's page and a device (interface 4.1). */
export const createTeleprinterService = (deps: TeleprinterDeps): Implementation<TeleprinterContract> => ({
  ...createDeviceVerbs(deps),
  ...createTextVerbs(deps),
});
