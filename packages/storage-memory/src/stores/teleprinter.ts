import { type Devices, createDevices } from "./devices.ts";
import type { DeviceMessageRecord, DeviceTake, ScheduleStore, TeleprinterStore } from "@telex/core/storage";
import type { Report } from "./changes.ts";
import type { Counter } from "../engine/counters.ts";
import { tablesOf } from "./device-tables.ts";
import { amendMessage, append, type Device, holderOf, idOf, isOver, listQueued, mark, waitingIn } from "./device.ts";
import { scheduleVerbs } from "./schedules.ts";
import type { Verb } from "../engine/gate.ts";
import { lastBefore, indexOfKey } from "../engine/sorted.ts";
import type { Kept } from "../engine/tables.ts";
import { type DeviceVerbs, deviceVerbs } from "./device-verbs.ts";

type QueueVerbs = "take" | "renew" | "deliver" | "requeue" | "acknowledge";

type Taken = Awaited<ReturnType<TeleprinterStore["take"]>>;

function take(device: Device, { holder, keep = false, now, until, ...asked }: DeviceTake): Taken {
  if (!keep && device.queue.size === 0) return { outcome: "taken", messages: [] };
  const other = holderOf(device, now);
  if (other !== null && other !== holder) return { outcome: "held", holder: other };
  const messages = listQueued(device, { ...asked, now });
  if (keep || messages.length > 0) device.lease = { holder, until };
  return { outcome: "taken", messages };
}

type Acknowledgement = Parameters<TeleprinterStore["acknowledge"]>[0];

function acknowledge(
  device: Device,
  { upTo, now, ids = [], failedIds = [], ...asked }: Acknowledgement,
): Awaited<ReturnType<TeleprinterStore["acknowledge"]>> {
  const newest = device.messages.at(-1)?.id ?? 0;
  if (upTo > newest) return { outcome: "above_newest", newest };
  const holder = device.queue.size === 0 ? null : holderOf(device, now);
  if (holder !== null) return { outcome: "held", holder };
  mark(device, failedIds, "failed");
  const { withoutRooms = false } = asked;
  const isMarked = (message: DeviceMessageRecord): boolean =>
    ids.includes(message.id) ||
    (message.id <= upTo && !(withoutRooms && message.room) && (message.shown || !isOver(message, now)));
  const marked = mark(
    device,
    waitingIn(device).flatMap((message) => (isMarked(message) ? message.id : [])),
  );
  const messages = listQueued(device, { ...asked, now });
  for (const { id, expiresAt } of messages) if (expiresAt !== null) amendMessage(device, id, { shown: true });
  return { outcome: "acknowledged", messages, marked };
}

/** Verbs on the queue of a device. */
const queueVerbs = (verb: Verb, devices: Devices): Pick<TeleprinterStore, QueueVerbs> => {
  const heldBy = (deviceId: string, holder: string): Device | null => {
    const device = devices.find(deviceId);
    return device?.lease?.holder === holder ? device : null;
  };
  return {
    take: verb((request) => devices.guarded(request, (device) => take(device, request))),
    renew: verb(({ deviceId, holder, until }) => {
      const device = heldBy(deviceId, holder);
      if (device !== null) device.lease = { holder, until };
      return device !== null;
    }),
    deliver: verb(({ deviceId, holder, ids, ends = false, ended = null }) => {
      const device = heldBy(deviceId, holder);
      if (device === null) return [];
      if (ends) device.lease = null;
      return mark(device, ids, ended);
    }),
    requeue: verb(({ deviceId, holder }) => {
      const device = heldBy(deviceId, holder);
      if (device !== null) device.lease = null;
    }),
    acknowledge: verb((ack) => devices.guarded(ack, (device) => acknowledge(device, ack))),
  };
};

type MessageVerbs = Omit<TeleprinterStore, DeviceVerbs | QueueVerbs | keyof ScheduleStore>;

const messageVerbs = (verb: Verb, devices: Devices, counter: Counter): MessageVerbs => ({
  append: verb((input) => devices.guarded(input, (device) => append(device, input, counter.next))),
  page: verb(({ before, limit, withoutRooms = false, ...key }) =>
    devices.guarded(key, ({ messages: all }) => {
      const messages = withoutRooms ? all.filter(({ room }) => !room) : all;
      const end = before === null ? messages.length : indexOfKey(messages, idOf, before);
      return { outcome: "page", messages: lastBefore(messages, end, limit), more: end > limit };
    }),
  ),
});

export function createTeleprinterStore(
  verb: Verb,
  report: Report,
  counter: Counter,
): Kept<TeleprinterStore, "devices" | "deviceGenerations" | "deviceMessages" | "deviceNonces" | "deviceSchedules"> {
  const devices = createDevices();
  const store = {
    ...deviceVerbs(verb, devices, report),
    ...queueVerbs(verb, devices),
    ...messageVerbs(verb, devices, counter),
    ...scheduleVerbs(verb, devices),
  };
  return { store, tables: tablesOf(devices, counter) };
}
