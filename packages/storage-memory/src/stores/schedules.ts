import type { DeviceScheduleRecord, ScheduleStore } from "@telex/core/storage";
import type { Devices } from "./devices.ts";
import { isOver, mark, waitingIn } from "./device.ts";
import type { Verb } from "../engine/gate.ts";

const byTime = (a: DeviceScheduleRecord, b: DeviceScheduleRecord): number =>
  a.at - b.at || (a.deviceId === b.deviceId ? a.id - b.id : a.deviceId < b.deviceId ? -1 : 1);

const allSchedules = (devices: Devices): DeviceScheduleRecord[] =>
  Array.from(devices.all()).flatMap(({ schedules }) => Array.from(schedules.values()));

type Schedule = Parameters<ScheduleStore["schedule"]>[0];

const schedule = (
  devices: Devices,
  { deviceLimit, ownerLimit, ...given }: Schedule,
): Awaited<ReturnType<ScheduleStore["schedule"]>> =>
  devices.guarded(given, ({ schedules }) => {
    const before = schedules.get(given.id);
    if (before !== undefined) {
      const isSame = before.content === given.content && before.at === given.at;
      return isSame ? { outcome: "repeated", schedule: before } : { outcome: "nonce_conflict" };
    }
    const owned = allSchedules(devices).filter(({ owner }) => owner === given.owner);
    if (schedules.size >= deviceLimit || owned.length >= ownerLimit) return { outcome: "full" };
    schedules.set(given.id, given);
    return { outcome: "scheduled", schedule: given };
  });

/** Verbs on texts that are sent later, and on those that expire. */
export const scheduleVerbs = (verb: Verb, devices: Devices): ScheduleStore => ({
  schedule: verb((text) => schedule(devices, text)),
  unschedule: verb(({ id, ...key }) =>
    devices.guarded(key, ({ schedules }) => ({ outcome: schedules.delete(id) ? "unscheduled" : "absent" })),
  ),
  listSchedules: verb((key) =>
    devices.guarded(key, ({ schedules }) => ({
      outcome: "schedules",
      schedules: Array.from(schedules.values()).toSorted(byTime),
    })),
  ),
  listDue: verb(({ now, limit }) =>
    allSchedules(devices)
      .filter(({ at }) => at <= now)
      .toSorted(byTime)
      .slice(0, limit),
  ),
  expireTexts: verb(({ before, limit }) => {
    let ended = 0;
    for (const device of devices.all()) {
      const over = waitingIn(device).filter((message) => isOver(message, before - 1));
      const ids = over.slice(0, limit - ended).map(({ id }) => id);
      ended += mark(device, ids, "expired").length;
    }
    return ended;
  }),
});
