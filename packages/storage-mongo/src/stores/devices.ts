import type { DeviceKey, DeviceRecord, DeviceRefusal, TeleprinterStore } from "@telex/core/storage";
import type { StoreDeps } from "./deps.ts";
import { collectionOf, feedRoot, recordOrNull, recordsOf } from "../driver/collections.ts";
import { recordOf } from "../driver/documents.ts";
import { oneNumber } from "../driver/schema.ts";
import type { Reads } from "../driver/transaction.ts";
import { type DeviceDocument, settingOf, claimDevice, pair, release, removeMostOf } from "./device-claims.ts";

type DeviceVerbs = Pick<
  TeleprinterStore,
  | "claimDevice"
  | "pairDevice"
  | "findGeneration"
  | "countQueued"
  | "listPrinters"
  | "amendDevice"
  | "touchDevice"
  | "leaveDevice"
  | "findDevice"
  | "listDevices"
  | "releaseDevice"
>;

/** Runs a step on a device that the caller owns. */
export async function guarded<Result>(
  reads: Reads,
  { deviceId, owner }: DeviceKey,
  step: (device: DeviceDocument) => Promise<Result>,
): Promise<Result | DeviceRefusal> {
  const device = await reads.find("devices", deviceId);
  if (device === null) return { outcome: "missing" };
  return device.owner === owner ? step(device) : { outcome: "not_owner" };
}

const feedVerbs = (
  deps: StoreDeps,
  { write } = deps.batches,
): Pick<TeleprinterStore, "claimDevice" | "pairDevice" | "releaseDevice"> => ({
  claimDevice: ({ ...claim }) =>
    write(feedRoot, (tx) =>
      claimDevice(tx, claim, (device) => ({
        ...device,
        name: claim.name,
        ...settingOf(claim),
      })),
    ),
  pairDevice: ({ ...claim }) => write(feedRoot, (tx) => pair(tx, claim)),
  async releaseDevice({ ...key }) {
    await removeMostOf(deps, key);
    return write(feedRoot, (tx) => guarded(tx, key, (device) => release(tx, device)));
  },
});

/** Changes one document, if the caller owns the device. */
async function change(
  { db, batches: { single } }: StoreDeps,
  { deviceId, owner }: DeviceKey,
  update: { readonly $set: Partial<DeviceRecord>; readonly $max?: Partial<DeviceRecord> },
): Promise<DeviceRecord | DeviceRefusal> {
  const devices = collectionOf(db, "devices");
  return single(async () => {
    const device = await devices.findOneAndUpdate({ _id: deviceId, owner }, update, { returnDocument: "after" });
    if (device !== null) return recordOf("devices", device);
    const other = await devices.findOne({ _id: deviceId }, { projection: { _id: 1 } });
    return { outcome: other === null ? "missing" : "not_owner" };
  });
}

const isRefusal = (result: DeviceRecord | DeviceRefusal): result is DeviceRefusal => "outcome" in result;

const singleVerbs = (deps: StoreDeps): Pick<TeleprinterStore, "amendDevice" | "touchDevice" | "leaveDevice"> => ({
  async amendDevice({ change: changed, ...key }) {
    const device = await change(deps, key, { $set: structuredClone(changed) });
    return isRefusal(device) ? device : { outcome: "amended", device };
  },
  async touchDevice({ now, ...key }) {
    const device = await change(deps, key, { $set: { away: false }, $max: { lastSeen: now } });
    return isRefusal(device) ? device : { outcome: "touched", device };
  },
  async leaveDevice(key) {
    const device = await change(deps, key, { $set: { away: true } });
    return isRefusal(device) ? device : { outcome: "left", device };
  },
});

export function createDeviceVerbs(deps: StoreDeps): DeviceVerbs {
  const { single } = deps.batches;
  const devices = collectionOf(deps.db, "devices");
  return {
    ...feedVerbs(deps),
    ...singleVerbs(deps),
    listPrinters: (roomId) =>
      single(async () =>
        recordsOf("devices", await devices.find({ roomId: oneNumber(roomId) }, { sort: { _id: 1 } }).toArray()),
      ),
    countQueued: () =>
      single(async () => {
        const waiting = await devices.find({ waiting: { $gt: 0 } }, { projection: { waiting: 1 } }).toArray();
        return waiting.reduce((total, device) => total + device.waiting, 0);
      }),
    findGeneration: (deviceId) =>
      single(async () => {
        const match = await collectionOf(deps.db, "deviceGenerations").findOne({ _id: deviceId });
        return match?.generation ?? 0;
      }),
    findDevice: (deviceId) => single(async () => recordOrNull("devices", await devices.findOne({ _id: deviceId }))),
    listDevices: (owner) =>
      single(async () =>
        recordsOf("devices", await devices.find({ owner }, { sort: { lastSeen: -1, _id: 1 } }).toArray()),
      ),
  };
}
