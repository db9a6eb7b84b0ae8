import type { DeviceAppend, DeviceAppended, DeviceRefusal, TeleprinterStore, TextOrder } from "@telex/core/storage";
import type { StoreDeps } from "./deps.ts";
import { collectionOf, recordsOf } from "../driver/collections.ts";
import { createDeviceVerbs, guarded } from "./devices.ts";
import { type DeviceDocument, ofDevice } from "./device-claims.ts";
import type { Reads, Tx } from "../driver/transaction.ts";
import { createScheduleVerbs } from "./device-schedules.ts";
import { type MessageDocument, rootOf, refsOf, append } from "./device-texts.ts";

type QueueVerbs = Pick<TeleprinterStore, "append" | "take" | "renew" | "deliver" | "requeue" | "acknowledge" | "page">;

const free = { holder: null, until: 0 };

interface QueueQuery {
  readonly id: { readonly $gt: number } | { readonly $lte: number };
  readonly limit: number;
  readonly withoutRooms?: boolean | undefined;
  readonly order?: TextOrder | undefined;
  /** Unix milliseconds: messages that have expired by then are left out, unless they were shown and `isShownIncluded`. */
  readonly at: number;
  readonly isShownIncluded?: boolean;
}

/** The first undelivered messages in a range of ids. Messages of earlier versions have no priority, and are sorted last by priority. */
async function listQueued(
  tx: Tx,
  { deviceId, waiting }: DeviceDocument,
  { id, limit, withoutRooms = false, order, at, isShownIncluded = false }: QueueQuery,
): Promise<MessageDocument[]> {
  if (waiting === 0) return [];
  const own = withoutRooms ? { room: false } : {};
  const shown = isShownIncluded ? [{ shown: true }] : [];
  // Messages of earlier versions lack the field, which counts as null.
  const current = { $or: [{ expiresAt: null }, { expiresAt: { $gt: at } }, ...shown] };
  const sort = order === undefined ? ({ id: 1 } as const) : ({ priority: -1, id: 1 } as const);
  return tx.list("deviceMessages", { deviceId, delivered: false, id, ...own, ...current }, { sort, limit });
}

/** The holder of a device's queue, unless its time is over. */
const holderOf = ({ holder = null, until = 0 }: DeviceDocument, now: number): string | null =>
  until <= now ? null : holder;

/** Marks messages as delivered, and subtracts them from the count of the device. */
async function mark(
  tx: Tx,
  device: DeviceDocument,
  messages: readonly MessageDocument[],
  ended: MessageDocument["ended"] = null,
): Promise<DeviceDocument> {
  if (messages.length === 0) return device;
  await tx.patch("deviceMessages", messages, { delivered: true, ended });
  const counted = { ...device, waiting: device.waiting - messages.length };
  tx.put("devices", counted);
  return counted;
}

async function deliver(
  tx: Tx,
  { deviceId, holder, ids, ends = false, ended }: Parameters<TeleprinterStore["deliver"]>[0],
): Promise<readonly number[]> {
  const device = await tx.find("devices", deviceId);
  if (device?.holder !== holder) return [];
  const waiting = await tx.list("deviceMessages", { deviceId, delivered: false, id: { $in: ids } });
  const counted = await mark(tx, device, waiting, ended ?? null);
  if (ends) tx.put("devices", { ...counted, ...free });
  return waiting.map(({ id }) => id);
}

type Acknowledge = Parameters<TeleprinterStore["acknowledge"]>[0];

/** The waiting messages that an acknowledgement marks as delivered, without those that it reports as failed. */
async function listMarked(
  tx: Tx,
  device: DeviceDocument,
  { upTo, ids = [], failedIds = [], withoutRooms }: Acknowledge,
  at: number,
): Promise<MessageDocument[]> {
  const upToMark = { id: { $lte: upTo }, limit: 0, withoutRooms, at, isShownIncluded: true };
  const covered = await listQueued(tx, device, upToMark);
  const named = ids.length === 0 ? [] : await listWaiting(tx, device, ids);
  const byId = new Map([...covered, ...named].map((message) => [message.id, message]));
  for (const id of failedIds) byId.delete(id);
  return Array.from(byId.values());
}

const listWaiting = ({ list }: Tx, { deviceId }: DeviceDocument, ids: readonly number[]): Promise<MessageDocument[]> =>
  list("deviceMessages", { deviceId, delivered: false, id: { $in: ids } });

/** @param at the same time as `now` of the acknowledgement, but by the clock of this server */
const acknowledge = (tx: Tx, ack: Acknowledge, at: number): ReturnType<TeleprinterStore["acknowledge"]> =>
  guarded(tx, ack, async (device) => {
    const { upTo, limit, now, withoutRooms, order, failedIds = [] } = ack;
    if (upTo > device.newest) return { outcome: "above_newest", newest: device.newest };
    const holder = device.waiting === 0 ? null : holderOf(device, now);
    if (holder !== null) return { outcome: "held", holder };
    const marking = await listMarked(tx, device, ack, at);
    const failed = failedIds.length === 0 ? [] : await listWaiting(tx, device, failedIds);
    const counted = await mark(tx, await mark(tx, device, marking), failed, "failed");
    const done = new Set([...marking, ...failed].map(({ id }) => id));
    const query = { id: { $gt: upTo }, limit: limit + done.size, withoutRooms, order, at };
    const rest = (await listQueued(tx, counted, query)).filter(({ id }) => !done.has(id)).slice(0, limit);
    const shown = rest.filter(({ expiresAt, shown: before }) => typeof expiresAt === "number" && !before);
    if (shown.length > 0) await tx.patch("deviceMessages", shown, { shown: true });
    return {
      outcome: "acknowledged",
      messages: recordsOf("deviceMessages", rest),
      marked: marking.map(({ id }) => id),
    };
  });

type Take = Parameters<TeleprinterStore["take"]>[0];

/** Two calls that take from one device write it, so one of them runs again. */
const take = (
  tx: Tx,
  { limit, after = 0, holder, keep = false, now, until, withoutRooms, order, ...key }: Take,
  at: number,
): ReturnType<TeleprinterStore["take"]> =>
  guarded(tx, key, async (device) => {
    if (!keep && device.waiting === 0) return { outcome: "taken", messages: [] };
    const other = holderOf(device, now);
    if (other !== null && other !== holder) return { outcome: "held", holder: other };
    const taken = await listQueued(tx, device, { id: { $gt: after }, limit, withoutRooms, order, at });
    if (keep || taken.length > 0) tx.put("devices", { ...device, holder, until });
    return { outcome: "taken", messages: recordsOf("deviceMessages", taken) };
  });

type Page = Parameters<TeleprinterStore["page"]>[0];

const page = (tx: Reads, { before, limit, withoutRooms = false, ...key }: Page): ReturnType<TeleprinterStore["page"]> =>
  guarded(tx, key, async ({ deviceId }) => {
    const range = ofDevice(deviceId)._id;
    const below = { _id: before === null ? range : { ...range, $lt: { a: deviceId, b: before } } };
    const filter = { ...below, ...(withoutRooms && { room: false }) };
    const matches = await tx.list("deviceMessages", filter, { sort: { _id: -1 }, limit: limit + 1 });
    const messages = recordsOf("deviceMessages", matches.slice(0, limit));
    return { outcome: "page", messages, more: matches.length > limit };
  });

function createAppendVerb({ batches, ids, cleanup }: StoreDeps): Pick<QueueVerbs, "append"> {
  const run = batches.define<DeviceAppend, DeviceAppended | DeviceRefusal>({
    call: { write: (deviceText) => ({ deviceText }), read: ({ deviceText }) => deviceText },
    result: { write: (deviceText) => ({ deviceText }), read: ({ deviceText }) => deviceText },
    root: ({ deviceId }) => rootOf(deviceId),
    load: refsOf,
    bytes: ({ content }) => content.length,
    run: (tx, input) => guarded(tx, input, (device) => append(tx, ids, device, input)),
  });
  return {
    append({ ...input }) {
      if (input.nonce !== null) cleanup.noteNonceLife("deviceNonces", input.nonceLife);
      return run(input);
    },
  };
}

/** Devices contain the time until which their queues are held as a time of the database, like leases. */
const queueVerbs = ({ db, batches: { write, read, single }, time }: StoreDeps): Omit<QueueVerbs, "append"> => ({
  take({ now, until, ...asked }) {
    return write(rootOf(asked.deviceId), async (tx) => {
      const ahead = await time.ahead();
      return take(tx, { ...asked, now: now - ahead, until: until - ahead }, now);
    });
  },
  renew: ({ deviceId, holder, until }) =>
    single(async () => {
      const end = until - (await time.ahead());
      const renewed = await collectionOf(db, "devices").updateOne({ _id: deviceId, holder }, { $set: { until: end } });
      return renewed.matchedCount > 0;
    }),
  deliver(delivery) {
    const own = { ...delivery, ids: [...delivery.ids] };
    return write(rootOf(own.deviceId), (tx) => deliver(tx, own));
  },
  requeue: ({ deviceId, holder }) =>
    single(async () => void (await collectionOf(db, "devices").updateOne({ _id: deviceId, holder }, { $set: free }))),
  acknowledge({ now, ...ack }) {
    const own = { ...ack, ids: [...(ack.ids ?? [])], failedIds: [...(ack.failedIds ?? [])] };
    return write(rootOf(own.deviceId), async (tx) => acknowledge(tx, { ...own, now: now - (await time.ahead()) }, now));
  },
  page: (asked) => read((tx) => page(tx, asked)),
});

/** Devices and their texts. The database stores which connection holds a queue, so this applies to all servers. */
export const createTeleprinterStore = (deps: StoreDeps): TeleprinterStore => ({
  ...createDeviceVerbs(deps),
  ...createAppendVerb(deps),
  ...queueVerbs(deps),
  ...createScheduleVerbs(deps, (tx, device, messages) => mark(tx, device, messages, "expired")),
});
