import type { DeviceKey, TeleprinterStore } from "@telex/core/storage";
import { now, printer, scheduled, textFrom, textTo } from "../support/fixtures.ts";

export const stranger: DeviceKey = { ...printer, owner: 8 };

/** Every verb that names a device and its holder. */
export const guardedVerbs = (store: TeleprinterStore, key: DeviceKey): Promise<{ readonly outcome: string }[]> =>
  Promise.all([
    store.amendDevice({ ...key, change: { name: "Renamed" } }),
    store.touchDevice({ ...key, now: now + 1 }),
    store.leaveDevice(key),
    store.append(textTo("text", key)),
    store.append(textFrom("text", { ...key, now: now + 1 })),
    store.take({ ...key, limit: 10, holder: "stranger", now, until: now + 1000 }),
    store.acknowledge({ ...key, upTo: 0, limit: 10, now }),
    store.page({ ...key, before: null, limit: 10 }),
    store.schedule({ ...scheduled(1, key), deviceLimit: 10, ownerLimit: 10 }),
    store.unschedule({ ...key, id: 1 }),
    store.listSchedules(key),
    store.releaseDevice(key),
  ]);
