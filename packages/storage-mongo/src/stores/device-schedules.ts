import type { ScheduleStore } from "@telex/core/storage";
import { collectionOf, plain, recordsOf } from "../driver/collections.ts";
import { type Documents, idFor, recordOf } from "../driver/documents.ts";
import type { Tx } from "../driver/transaction.ts";
import type { DeviceDocument } from "./device-claims.ts";
import { type MessageDocument, rootOf } from "./device-texts.ts";
import { guarded } from "./devices.ts";
import type { StoreDeps } from "./deps.ts";
import { touchRoot } from "./quotas.ts";

type Schedule = Parameters<ScheduleStore["schedule"]>[0];

/** Counts the texts of a device and of its owner. Schedules of one owner conflict with each other, so the limits are exact. */
async function isFull(tx: Tx, { deviceId, owner, deviceLimit, ownerLimit }: Schedule): Promise<boolean> {
  await touchRoot(tx, `schedules ${owner}`);
  const ofOwner = await tx.list("deviceSchedules", { owner }, { limit: Math.max(1, ownerLimit) });
  const ofDevice = ofOwner.filter((schedule) => schedule.deviceId === deviceId);
  return ofOwner.length >= ownerLimit || ofDevice.length >= deviceLimit;
}

const schedule = (tx: Tx, given: Schedule): ReturnType<ScheduleStore["schedule"]> =>
  guarded(tx, given, async () => {
    const { deviceLimit: _device, ownerLimit: _owner, ...record } = given;
    const before = await tx.find("deviceSchedules", idFor([given.deviceId, given.id]));
    if (before !== null) {
      const isSame = before.content === given.content && before.at === given.at;
      if (!isSame) return { outcome: "nonce_conflict" };
      return { outcome: "repeated", schedule: recordOf("deviceSchedules", before) };
    }
    if (await isFull(tx, given)) return { outcome: "full" };
    tx.add("deviceSchedules", plain("deviceSchedules", record));
    return { outcome: "scheduled", schedule: record };
  });

type Expire = (tx: Tx, device: DeviceDocument, messages: readonly MessageDocument[]) => Promise<DeviceDocument>;

/** Ends the expired texts of one device. Returns their number. */
async function expireOf(tx: Tx, deviceId: string, ids: readonly number[], expire: Expire): Promise<number> {
  const device = await tx.find("devices", deviceId);
  if (device === null) return 0;
  const expired = await tx.list("deviceMessages", { deviceId, delivered: false, id: { $in: ids } });
  await expire(tx, device, expired);
  return expired.length;
}

const idsByDevice = (messages: readonly Documents["deviceMessages"][]): ReadonlyMap<string, readonly number[]> =>
  new Map(
    Array.from(
      Map.groupBy(messages, ({ deviceId }) => deviceId),
      ([deviceId, own]) => [deviceId, own.map(({ id }) => id)],
    ),
  );

/** Verbs on texts that are sent later, and on those that expire. */
export function createScheduleVerbs(
  { db, batches: { write, read, single } }: StoreDeps,
  expire: Expire,
): ScheduleStore {
  const schedules = collectionOf(db, "deviceSchedules");
  return {
    schedule({ ...given }) {
      return write(rootOf(given.deviceId), (tx) => schedule(tx, given));
    },
    unschedule: ({ id, ...key }) =>
      write(rootOf(key.deviceId), (tx) =>
        guarded(tx, key, async () => {
          const document = await tx.find("deviceSchedules", idFor([key.deviceId, id]));
          if (document === null) return { outcome: "absent" };
          tx.drop("deviceSchedules", document._id);
          return { outcome: "unscheduled" };
        }),
      ),
    listSchedules: (key) =>
      read((tx) =>
        guarded(tx, key, async ({ deviceId }) => {
          const documents = await tx.list("deviceSchedules", { deviceId }, { sort: { at: 1, id: 1 } });
          return { outcome: "schedules", schedules: recordsOf("deviceSchedules", documents) };
        }),
      ),
    listDue: ({ now, limit }) =>
      single(async () => {
        const sort = { at: 1, deviceId: 1, id: 1 } as const;
        return recordsOf("deviceSchedules", await schedules.find({ at: { $lte: now } }, { sort, limit }).toArray());
      }),
    async expireTexts({ before, limit }) {
      const messages = collectionOf(db, "deviceMessages");
      const filter = { delivered: false, expiresAt: { $lt: before } };
      const expired = await single(() => messages.find(filter, { sort: { expiresAt: 1 }, limit }).toArray());
      const counts = Array.from(idsByDevice(expired), ([deviceId, ids]) =>
        write(rootOf(deviceId), (tx) => expireOf(tx, deviceId, ids, expire)),
      );
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    },
  };
}
