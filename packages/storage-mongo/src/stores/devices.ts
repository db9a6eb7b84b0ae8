import type {
  DeviceClaim,
  DeviceClaimed,
  DeviceKey,
  DeviceRecord,
  DeviceRefusal,
  TeleprinterStore,
} from "@telex/core/storage";
import type { StoreDeps } from "./deps.ts";
import { collectionOf, feedRoot, plain, recordOrNull, recordsOf } from "../driver/collections.ts";
import { type Documents, recordOf } from "../driver/documents.ts";
import { removeMost } from "./parts.ts";
import { oneNumber } from "../driver/schema.ts";
import type { Tx } from "../driver/transaction.ts";

/** A device with what the store keeps of it. */
export type DeviceDocument = Documents["devices"];

type DeviceVerbs = Pick<
  TeleprinterStore,
  | "claimDevice"
  | "pairDevice"
  | "findGeneration"
  | "countQueued"
  | "listPrinters"
  | "renameDevice"
  | "touchDevice"
  | "leaveDevice"
  | "findDevice"
  | "listDevices"
  | "releaseDevice"
>;

type Claim = DeviceClaim & Pick<Parameters<TeleprinterStore["claimDevice"]>[0], "ai" | "room">;

/** The fields that a claim sets. The others stay. */
const settingOf = ({ ai, room }: Claim): Partial<DeviceRecord> => ({
  ...(ai !== undefined && { ai }),
  ...(room !== undefined && { roomId: room?.groupId ?? null, roomMentions: room?.mentions ?? false }),
});

/** Does a step with a device that the caller owns. */
export async function guarded<Result>(
  tx: Tx,
  { deviceId, owner }: DeviceKey,
  step: (device: DeviceDocument) => Promise<Result>,
): Promise<Result | DeviceRefusal> {
  const device = await tx.find("devices", deviceId);
  if (device === null) return { outcome: "missing" };
  return device.owner === owner ? step(device) : { outcome: "not_owner" };
}

/** A sign of life. */
export const seen = (device: DeviceDocument, now: number): DeviceDocument => ({
  ...device,
  lastSeen: Math.max(device.lastSeen, now),
  away: false,
});

/** The filter for what belongs to a device, on an index of ids that begin with it. */
export const ofDevice = (deviceId: string) => ({
  _id: { $gte: { a: deviceId, b: 0 }, $lt: { a: `${deviceId}\0`, b: 0 } },
});

/** A new device. Claims conflict with each other, because each reports a change: so the limit holds. */
async function add(tx: Tx, claim: Claim): Promise<DeviceClaimed> {
  const { deviceId, name, owner, now, deviceLimit } = claim;
  if (
    deviceLimit !== undefined &&
    (await tx.list("devices", { owner }, { limit: deviceLimit })).length >= deviceLimit
  ) {
    return { outcome: "full" };
  }
  const floor = (await tx.find("deviceGenerations", deviceId))?.newest ?? 0;
  const setting = { ai: null, roomId: null, roomMentions: false, ...settingOf(claim) };
  const record: DeviceRecord = { deviceId, name, owner, createdAt: now, lastSeen: now, away: false, ...setting };
  tx.add("devices", { ...plain("devices", record), waiting: 0, newest: 0, floor });
  tx.report("device", deviceId);
  return { outcome: "claimed", device: record };
}

/** Assigns a free ID, or gives a device of the caller a sign of life. `renew` changes what a renewal changes. */
async function claimDevice(
  tx: Tx,
  claim: Claim,
  renew: (device: DeviceDocument) => DeviceDocument,
): Promise<DeviceClaimed> {
  const before = await tx.find("devices", claim.deviceId);
  if (before === null) return claim.deviceLimit === 0 ? { outcome: "full" } : add(tx, claim);
  if (before.owner !== claim.owner) return { outcome: "taken" };
  const device = renew(seen(before, claim.now));
  tx.put("devices", device);
  return { outcome: "renewed", device: recordOf("devices", device) };
}

async function raiseGeneration(tx: Tx, deviceId: string, newest: number): Promise<void> {
  const before = await tx.find("deviceGenerations", deviceId);
  const generation = (before?.generation ?? 0) + 1;
  const document = { ...plain("deviceGenerations", { deviceId, generation }), newest: before?.newest ?? 0 };
  tx.put("deviceGenerations", { ...document, newest: Math.max(newest, document.newest) });
}

async function pair(tx: Tx, claim: DeviceClaim): Promise<DeviceClaimed> {
  const claimed = await claimDevice(tx, claim, (device) => device);
  if (!("device" in claimed)) return claimed;
  await raiseGeneration(tx, claim.deviceId, 0);
  tx.report("device", claim.deviceId);
  return claimed;
}

async function release(tx: Tx, { deviceId, newest, floor }: DeviceDocument): Promise<{ readonly outcome: "released" }> {
  await raiseGeneration(tx, deviceId, Math.max(newest, floor));
  tx.drop("devices", deviceId);
  await tx.dropAll("deviceMessages", ofDevice(deviceId));
  await tx.dropAll("deviceNonces", ofDevice(deviceId));
  tx.report("device", deviceId);
  return { outcome: "released" };
}

/** Removes most of what belongs to a device that its owner releases: not what waits, which the device counts. */
async function removeMostOf(deps: StoreDeps, { deviceId, owner }: DeviceKey): Promise<void> {
  const own = await deps.batches.single(() => collectionOf(deps.db, "devices").findOne({ _id: deviceId, owner }));
  if (own === null) return;
  await removeMost(deps, "deviceMessages", { ...ofDevice(deviceId), delivered: true });
  await removeMost(deps, "deviceNonces", ofDevice(deviceId));
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

const singleVerbs = (deps: StoreDeps): Pick<TeleprinterStore, "renameDevice" | "touchDevice" | "leaveDevice"> => ({
  async renameDevice({ name, ...key }) {
    const device = await change(deps, key, { $set: { name } });
    return isRefusal(device) ? device : { outcome: "renamed", device };
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

/** The verbs on devices themselves. */
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
        const found = await collectionOf(deps.db, "deviceGenerations").findOne({ _id: deviceId });
        return found?.generation ?? 0;
      }),
    findDevice: (deviceId) => single(async () => recordOrNull("devices", await devices.findOne({ _id: deviceId }))),
    listDevices: (owner) =>
      single(async () =>
        recordsOf("devices", await devices.find({ owner }, { sort: { lastSeen: -1, _id: 1 } }).toArray()),
      ),
  };
}
